import type { NoticeTexts } from './en.ts'

/** German. */
export const de: NoticeTexts = {
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
}
