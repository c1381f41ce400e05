import type { NoticeTexts } from './en.ts'

/** Italian. */
export const it: NoticeTexts = {
  notFound: {
    title: 'Questo link non esiste',
    says: [
      'Forse è scritto male o incompleto. Controlla l’indirizzo.',
      'Maiuscole e minuscole contano: /Menu e /menu sono due link diversi.',
    ],
  },
  notYet: {
    title: 'Questo link non è ancora attivo',
    says: ['Il proprietario lo ha programmato per più tardi. Riprova allora.'],
  },
  ended: {
    title: 'Questo link non è più attivo',
    says: [
      'È scaduto, ha raggiunto il limite di clic o è stato rimosso dal proprietario.',
      'Chiedine uno nuovo a chi te lo ha inviato.',
    ],
  },
  blocked: {
    title: 'Questo link è bloccato',
    says: [
      'Il gestore di questo servizio ha bloccato il link, perché è stato segnalato come dannoso o viola le regole.',
      'Se pensi che sia un errore, scrivi a {contact}.',
    ],
  },
  unavailable: {
    title: 'Torniamo tra un attimo',
    says: ['Questo link non può essere aperto in questo momento. Riprova tra qualche secondo.'],
  },
  wrongMethod: {
    title: 'Questo link può solo essere aperto',
    says: ['Non si può inviare nulla a questo indirizzo.'],
  },
  password: {
    title: 'Questo link richiede una password',
    says: ['Il proprietario ha protetto questo link. Inserisci la password per continuare.'],
  },
  passwordLabel: 'Password',
  passwordWrong: 'Password errata. Riprova.',
  wait: {
    title: 'Attendi',
    says: ['Ci sono stati troppi tentativi dalla tua rete. Attendi un po’ e riprova.'],
  },
  limited: {
    title: 'Questo link ha un limite di clic',
    says: ['Questo link funziona un numero limitato di volte, quindi non viene aperto per un’anteprima.'],
  },
  preview: { title: 'Anteprima del link', says: ['Questo link breve porta a:'] },
  previewProtected:
    'Il proprietario ha protetto questo link. La destinazione viene mostrata dopo la password.',
  destination: 'Destinazione',
  iosDestination: 'Su iPhone e iPad',
  androidDestination: 'Su Android',
  next: 'Continua',
  reportLabel: 'C’è qualcosa che non va in questo link?',
  reportHint: 'Che cosa non va?',
  report: 'Segnala questo link',
  reported: {
    title: 'Link segnalato',
    says: ['La tua segnalazione è stata inviata al gestore di questo servizio. Grazie.'],
  },
  root: '{domain} offre link brevi e pagine. Apri l’indirizzo completo che hai ricevuto.',
}
