import type { NoticeTexts } from './en.ts'

/** French. */
export const fr: NoticeTexts = {
  notFound: {
    title: 'Ce lien n’existe pas',
    says: [
      'Il est peut-être mal saisi ou incomplet. Vérifiez l’adresse.',
      'Les majuscules comptent : /Menu et /menu sont deux liens différents.',
    ],
  },
  notYet: {
    title: 'Ce lien n’est pas encore actif',
    says: ['Son propriétaire l’a programmé pour plus tard. Réessayez à ce moment-là.'],
  },
  ended: {
    title: 'Ce lien n’est plus actif',
    says: [
      'Il a expiré, atteint sa limite de clics ou été supprimé par son propriétaire.',
      'Demandez-en un nouveau à la personne qui vous l’a envoyé.',
    ],
  },
  blocked: {
    title: 'Ce lien est bloqué',
    says: [
      'L’exploitant de ce service a bloqué ce lien, car il a été signalé comme nuisible ou enfreint les règles.',
      'Si vous pensez qu’il s’agit d’une erreur, écrivez à {contact}.',
    ],
  },
  unavailable: {
    title: 'De retour dans un instant',
    says: ['Ce lien ne peut pas être ouvert pour le moment. Réessayez dans quelques secondes.'],
  },
  wrongMethod: {
    title: 'Ce lien peut seulement être ouvert',
    says: ['Rien ne peut être envoyé à cette adresse.'],
  },
  password: {
    title: 'Ce lien demande un mot de passe',
    says: ['Le propriétaire a protégé ce lien. Saisissez le mot de passe pour continuer.'],
  },
  passwordLabel: 'Mot de passe',
  passwordWrong: 'Mot de passe incorrect. Réessayez.',
  wait: {
    title: 'Veuillez patienter',
    says: ['Trop de tentatives depuis votre réseau. Patientez un peu, puis réessayez.'],
  },
  limited: {
    title: 'Ce lien a une limite de clics',
    says: ['Ce lien fonctionne un nombre limité de fois ; il n’est donc pas ouvert pour un aperçu.'],
  },
  preview: { title: 'Aperçu du lien', says: ['Ce lien court mène à :'] },
  previewProtected: 'Le propriétaire a protégé ce lien. Sa destination s’affiche après le mot de passe.',
  destination: 'Destination',
  iosDestination: 'Sur iPhone et iPad',
  androidDestination: 'Sur Android',
  next: 'Continuer',
  reportLabel: 'Ce lien pose-t-il un problème ?',
  reportHint: 'Quel est le problème ?',
  report: 'Signaler ce lien',
  reported: {
    title: 'Lien signalé',
    says: ['Votre signalement a été envoyé à l’exploitant de ce service. Merci.'],
  },
  root: '{domain} propose des liens courts et des pages. Ouvrez l’adresse complète que vous avez reçue.',
}
