import type { VisitorTexts } from './en.ts'

/** French. */
export const fr: VisitorTexts = {
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
  page: {
    links: 'Liens',
    networks: 'Réseaux sociaux',
    pictures: 'Images',
    picture: 'Image',
    previousPicture: 'Image précédente',
    nextPicture: 'Image suivante',
    saveContact: 'Enregistrer le contact',
  },
  resetMail: {
    title: 'Choisissez un nouveau mot de passe pour Waymark',
    says: [
      'Un nouveau mot de passe a été demandé pour votre compte Waymark.',
      'Choisissez-le ici dans l’heure :\n{url}',
      'Si vous ne l’avez pas demandé, ignorez ce message : rien n’a changé.',
    ],
  },
  invitationMail: {
    title: 'Rejoignez {workspace} sur Waymark',
    says: [
      '{name} vous a invité dans l’espace de travail {workspace} sur Waymark.',
      'Acceptez l’invitation sous 7 jours :\n{url}',
      'Si vous ne connaissez pas cette personne, ignorez ce message.',
    ],
  },
  reset: {
    title: 'Choisissez un nouveau mot de passe',
    lead: 'Toutes les sessions seront fermées, toutes les clés API révoquées et tous les webhooks désactivés.',
    requestLink: 'Demander un nouveau lien',
    newPassword: 'Nouveau mot de passe',
    confirmPassword: 'Confirmer le mot de passe',
    keepKeys: 'Conserver les clés API et les webhooks',
    keepKeysHint: 'Seulement si vous êtes sûr que personne d’autre n’a utilisé votre compte.',
    action: 'Définir le mot de passe',
  },
  invitation: {
    title: 'Invitation',
    wait: 'Un instant…',
    invalid: 'Cette invitation ne fonctionne pas',
    invalidHint:
      'Une invitation sert une fois, sous 7 jours, et peut être retirée. La personne qui vous a invité peut en créer une nouvelle sous « Settings », « Members ».',
    dashboard: 'Aller au tableau de bord',
    join: 'Rejoindre {workspace}',
    viewer: '{name} vous a invité comme lecteur. Vous pourrez voir les liens, codes, pages et statistiques.',
    editor: '{name} vous a invité comme éditeur. Vous pourrez créer et modifier des liens, codes et pages.',
    admin:
      '{name} vous a invité comme administrateur. Vous pourrez gérer les liens, codes, pages, membres et clés API.',
    owner:
      '{name} vous a invité comme propriétaire. Vous pourrez tout gérer, y compris l’offre et les factures.',
    member: 'Un membre',
    otherAccount:
      'L’invitation a été envoyée à {invited} et vous êtes connecté comme {email}. Si vous acceptez, {email} devient membre.',
    accept: 'Accepter comme {email}',
    useOther: 'Utiliser un autre compte',
    firstName: 'Prénom (facultatif)',
    email: 'E-mail',
    password: 'Mot de passe',
    action: 'Créer un compte et rejoindre',
    haveAccount: 'Vous avez un compte sur {host} ?',
    signIn: 'Se connecter pour accepter',
  },
  passwordRules: {
    label: 'Exigences du mot de passe',
    length: 'au moins 8 caractères',
    lower: 'une minuscule',
    upper: 'une majuscule',
    digit: 'un chiffre',
    symbol: 'un symbole',
  },
  noThirdParties: 'Auto-hébergé. Cette page n’envoie aucune requête à des tiers.',
}
