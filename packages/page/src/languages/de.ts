import type { VisitorTexts } from './en.ts'

/** German. */
export const de: VisitorTexts = {
  notFound: {
    title: 'Diesen Link gibt es nicht',
    says: [
      'Vielleicht ist er vertippt oder unvollständig. Bitte prüfen Sie die Adresse.',
      'Groß- und Kleinschreibung zählt: /Menu und /menu sind zwei verschiedene Links.',
    ],
  },
  notYet: {
    title: 'Dieser Link ist noch nicht aktiv',
    says: ['Er beginnt erst später. Bitte versuchen Sie es dann noch einmal.'],
  },
  ended: {
    title: 'Dieser Link ist beendet',
    says: [
      'Er ist abgelaufen, hat seine Zahl an Klicks erreicht oder wurde entfernt.',
      'Bitten Sie die Person, die ihn geschickt hat, um einen neuen.',
    ],
  },
  blocked: {
    title: 'Dieser Link ist gesperrt',
    says: [
      'Der Betreiber dieses Dienstes hat den Link gesperrt, weil er als schädlich gemeldet wurde oder gegen die Regeln verstößt.',
      'Wenn Sie das für einen Irrtum halten, schreiben Sie an {contact}.',
    ],
  },
  unavailable: {
    title: 'Gleich wieder da',
    says: [
      'Dieser Link lässt sich gerade nicht öffnen. Bitte versuchen Sie es in einigen Sekunden noch einmal.',
    ],
  },
  wrongMethod: {
    title: 'Dieser Link lässt sich nur öffnen',
    says: ['An diese Adresse kann nichts gesendet werden.'],
  },
  password: {
    title: 'Dieser Link braucht ein Passwort',
    says: ['Der Link ist geschützt. Geben Sie das Passwort ein, um fortzufahren.'],
  },
  passwordLabel: 'Passwort',
  passwordWrong: 'Falsches Passwort. Bitte versuchen Sie es noch einmal.',
  wait: {
    title: 'Bitte warten',
    says: [
      'Aus Ihrem Netz kamen zu viele Versuche. Bitte warten Sie ein wenig und versuchen Sie es noch einmal.',
    ],
  },
  limited: {
    title: 'Dieser Link hat eine begrenzte Zahl an Klicks',
    says: ['Der Link funktioniert nur einige Male und wird deshalb nicht für eine Vorschau geöffnet.'],
  },
  preview: { title: 'Vorschau des Links', says: ['Dieser Kurzlink führt zu:'] },
  previewProtected: 'Der Link ist geschützt. Sein Ziel wird nach dem Passwort gezeigt.',
  destination: 'Ziel',
  iosDestination: 'Auf iPhone und iPad',
  androidDestination: 'Auf Android',
  next: 'Weiter',
  reportLabel: 'Stimmt etwas mit diesem Link nicht?',
  reportHint: 'Was stimmt nicht?',
  report: 'Link melden',
  reported: {
    title: 'Link gemeldet',
    says: ['Ihre Meldung wurde an den Betreiber dieses Dienstes gesendet. Danke.'],
  },
  root: '{domain} stellt Kurzlinks und Seiten bereit. Bitte öffnen Sie die ganze Adresse, die Sie erhalten haben.',
  page: {
    links: 'Links',
    networks: 'Soziale Netzwerke',
    pictures: 'Bilder',
    picture: 'Bild',
    previousPicture: 'Vorheriges Bild',
    nextPicture: 'Nächstes Bild',
    saveContact: 'Kontakt speichern',
  },
  resetMail: {
    title: 'Neues Passwort für Waymark festlegen',
    says: [
      'Für Ihr Waymark-Konto wurde ein neues Passwort angefordert.',
      'Legen Sie es innerhalb einer Stunde hier fest:\n{url}',
      'Wenn Sie das nicht angefordert haben, ignorieren Sie diese E-Mail: Es hat sich nichts geändert.',
    ],
  },
  invitationMail: {
    title: 'Einladung zu {workspace} auf Waymark',
    says: [
      '{name} hat Sie in den Arbeitsbereich {workspace} auf Waymark eingeladen.',
      'Nehmen Sie die Einladung innerhalb von 7 Tagen an:\n{url}',
      'Wenn Sie die Person nicht kennen, ignorieren Sie diese E-Mail.',
    ],
  },
  reset: {
    title: 'Neues Passwort wählen',
    lead: 'Das beendet alle Sitzungen, widerruft alle API-Schlüssel und schaltet alle Webhooks ab.',
    requestLink: 'Neuen Link anfordern',
    newPassword: 'Neues Passwort',
    confirmPassword: 'Passwort bestätigen',
    keepKeys: 'API-Schlüssel und Webhooks behalten',
    keepKeysHint: 'Nur wenn Sie sicher sind, dass niemand sonst Ihr Konto benutzt hat.',
    action: 'Passwort festlegen',
  },
  invitation: {
    title: 'Einladung',
    wait: 'Einen Moment …',
    invalid: 'Diese Einladung funktioniert nicht',
    invalidHint:
      'Eine Einladung gilt einmal, 7 Tage lang, und kann zurückgezogen werden. Wer Sie eingeladen hat, kann unter „Settings“, „Members“ eine neue erstellen.',
    dashboard: 'Zum Dashboard',
    join: '{workspace} beitreten',
    viewer:
      '{name} hat Sie als Betrachter eingeladen. Sie können Links, Codes, Seiten und Statistiken sehen.',
    editor:
      '{name} hat Sie als Bearbeiter eingeladen. Sie können Links, Codes und Seiten erstellen und bearbeiten.',
    admin:
      '{name} hat Sie als Administrator eingeladen. Sie können Links, Codes, Seiten, Mitglieder und API-Schlüssel verwalten.',
    owner: '{name} hat Sie als Inhaber eingeladen. Sie können alles verwalten, auch Tarif und Rechnungen.',
    member: 'Ein Mitglied',
    otherAccount:
      'Die Einladung ging an {invited}, und Sie sind als {email} angemeldet. Wenn Sie annehmen, wird {email} Mitglied.',
    accept: 'Als {email} annehmen',
    useOther: 'Anderes Konto verwenden',
    firstName: 'Vorname (optional)',
    email: 'E-Mail',
    password: 'Passwort',
    action: 'Konto erstellen und beitreten',
    haveAccount: 'Haben Sie ein Konto auf {host}?',
    signIn: 'Anmelden und annehmen',
  },
  passwordRules: {
    label: 'Anforderungen an das Passwort',
    length: 'mindestens 8 Zeichen',
    lower: 'Kleinbuchstabe',
    upper: 'Großbuchstabe',
    digit: 'Ziffer',
    symbol: 'Sonderzeichen',
  },
  noThirdParties: 'Selbst gehostet. Diese Seite sendet keine Anfragen an Dritte.',
}
