import type { NoticeTexts } from './en.ts'

/** Spanish. */
export const es: NoticeTexts = {
  notFound: {
    title: 'Este enlace no existe',
    says: [
      'Puede que esté mal escrito o incompleto. Compruebe la dirección.',
      'Se distinguen mayúsculas y minúsculas: /Menu y /menu son dos enlaces distintos.',
    ],
  },
  notYet: {
    title: 'Este enlace aún no está activo',
    says: ['Su propietario lo ha programado para más tarde. Vuelva a intentarlo entonces.'],
  },
  ended: {
    title: 'Este enlace ya no está activo',
    says: [
      'Ha caducado, ha alcanzado su límite de clics o lo ha eliminado su propietario.',
      'Pida uno nuevo a la persona que se lo envió.',
    ],
  },
  blocked: {
    title: 'Este enlace está bloqueado',
    says: [
      'El operador de este servicio ha bloqueado el enlace porque se denunció como dañino o incumple las normas.',
      'Si cree que es un error, escriba a {contact}.',
    ],
  },
  unavailable: {
    title: 'Volvemos en un momento',
    says: ['Este enlace no se puede abrir ahora mismo. Vuelva a intentarlo en unos segundos.'],
  },
  wrongMethod: {
    title: 'Este enlace solo se puede abrir',
    says: ['No se puede enviar nada a esta dirección.'],
  },
  password: {
    title: 'Este enlace requiere una contraseña',
    says: ['El propietario ha protegido este enlace. Introduzca la contraseña para continuar.'],
  },
  passwordLabel: 'Contraseña',
  passwordWrong: 'Contraseña incorrecta. Vuelva a intentarlo.',
  wait: {
    title: 'Espere, por favor',
    says: ['Ha habido demasiados intentos desde su red. Espere un poco y vuelva a intentarlo.'],
  },
  limited: {
    title: 'Este enlace tiene un límite de clics',
    says: ['Este enlace funciona un número limitado de veces, por lo que no se abre para una vista previa.'],
  },
  preview: { title: 'Vista previa del enlace', says: ['Este enlace corto lleva a:'] },
  previewProtected:
    'El propietario ha protegido este enlace. Su destino se muestra después de la contraseña.',
  destination: 'Destino',
  iosDestination: 'En iPhone y iPad',
  androidDestination: 'En Android',
  next: 'Continuar',
  reportLabel: '¿Hay algún problema con este enlace?',
  reportHint: '¿Cuál es el problema?',
  report: 'Denunciar este enlace',
  reported: {
    title: 'Enlace denunciado',
    says: ['Su denuncia se ha enviado al operador de este servicio. Gracias.'],
  },
  root: '{domain} ofrece enlaces cortos y páginas. Abra la dirección completa que recibió.',
}
