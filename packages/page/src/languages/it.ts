import type { VisitorTexts } from './en.ts'

/** Italian. */
export const it: VisitorTexts = {
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
  page: {
    links: 'Link',
    networks: 'Social network',
    pictures: 'Immagini',
    picture: 'Immagine',
    previousPicture: 'Immagine precedente',
    nextPicture: 'Immagine successiva',
    saveContact: 'Salva contatto',
  },
  resetMail: {
    title: 'Imposta una nuova password per Waymark',
    says: [
      'È stata richiesta una nuova password per il tuo account Waymark.',
      'Impostala qui entro un’ora:\n{url}',
      'Se non l’hai richiesta tu, ignora questa e-mail: non è cambiato nulla.',
    ],
  },
  invitationMail: {
    title: 'Unisciti a {workspace} su Waymark',
    says: [
      '{name} ti ha invitato nell’area di lavoro {workspace} su Waymark.',
      'Accetta l’invito entro 7 giorni:\n{url}',
      'Se non conosci questa persona, ignora questa e-mail.',
    ],
  },
  reset: {
    title: 'Scegli una nuova password',
    lead: 'Tutte le sessioni vengono chiuse, tutte le chiavi API revocate e tutti i webhook disattivati.',
    requestLink: 'Richiedi un nuovo link',
    newPassword: 'Nuova password',
    confirmPassword: 'Conferma password',
    keepKeys: 'Mantieni chiavi API e webhook',
    keepKeysHint: 'Solo se sei sicuro che nessun altro abbia usato il tuo account.',
    action: 'Imposta password',
  },
  invitation: {
    title: 'Invito',
    wait: 'Un momento…',
    invalid: 'Questo invito non funziona',
    invalidHint:
      'Un invito vale una volta, per 7 giorni, e può essere ritirato. Chi ti ha invitato può crearne uno nuovo in «Settings», «Members».',
    dashboard: 'Vai alla dashboard',
    join: 'Unisciti a {workspace}',
    viewer: '{name} ti ha invitato come lettore. Potrai vedere link, codici, pagine e statistiche.',
    editor: '{name} ti ha invitato come redattore. Potrai creare e modificare link, codici e pagine.',
    admin:
      '{name} ti ha invitato come amministratore. Potrai gestire link, codici, pagine, membri e chiavi API.',
    owner: '{name} ti ha invitato come proprietario. Potrai gestire tutto, compresi piano e fatture.',
    member: 'Un membro',
    otherAccount:
      'L’invito è stato inviato a {invited} e hai effettuato l’accesso come {email}. Se accetti, {email} diventa membro.',
    accept: 'Accetta come {email}',
    useOther: 'Usa un altro account',
    firstName: 'Nome (facoltativo)',
    email: 'E-mail',
    password: 'Password',
    action: 'Crea account e unisciti',
    haveAccount: 'Hai un account su {host}?',
    signIn: 'Accedi per accettare',
  },
  passwordRules: {
    label: 'Requisiti della password',
    length: 'almeno 8 caratteri',
    lower: 'una minuscola',
    upper: 'una maiuscola',
    digit: 'un numero',
    symbol: 'un simbolo',
  },
  noThirdParties: 'Ospitato in proprio. Questa pagina non invia richieste a terzi.',
}
