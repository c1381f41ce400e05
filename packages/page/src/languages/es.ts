import type { VisitorTexts } from './en.ts'

/** Spanish. */
export const es: VisitorTexts = {
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
  page: {
    links: 'Enlaces',
    networks: 'Redes sociales',
    pictures: 'Imágenes',
    picture: 'Imagen',
    previousPicture: 'Imagen anterior',
    nextPicture: 'Imagen siguiente',
    saveContact: 'Guardar contacto',
  },
  resetMail: {
    title: 'Elija una nueva contraseña para Waymark',
    says: [
      'Se ha solicitado una nueva contraseña para su cuenta de Waymark.',
      'Elíjala aquí en el plazo de una hora:\n{url}',
      'Si no la ha solicitado, ignore este correo: nada ha cambiado.',
    ],
  },
  invitationMail: {
    title: 'Únase a {workspace} en Waymark',
    says: [
      '{name} le ha invitado al espacio de trabajo {workspace} en Waymark.',
      'Acepte la invitación en un plazo de 7 días:\n{url}',
      'Si no conoce a esta persona, ignore este correo.',
    ],
  },
  reset: {
    title: 'Elija una nueva contraseña',
    lead: 'Se cierran todas las sesiones, se revocan todas las claves API y se desactivan todos los webhooks.',
    requestLink: 'Solicitar un nuevo enlace',
    newPassword: 'Nueva contraseña',
    confirmPassword: 'Confirmar contraseña',
    keepKeys: 'Conservar claves API y webhooks',
    keepKeysHint: 'Solo si está seguro de que nadie más ha usado su cuenta.',
    action: 'Guardar contraseña',
  },
  invitation: {
    title: 'Invitación',
    wait: 'Un momento…',
    invalid: 'Esta invitación no funciona',
    invalidHint:
      'Una invitación sirve una vez, durante 7 días, y puede retirarse. Quien le invitó puede crear otra en «Settings», «Members».',
    dashboard: 'Ir al panel',
    join: 'Unirse a {workspace}',
    viewer: '{name} le ha invitado como lector. Podrá ver enlaces, códigos, páginas y estadísticas.',
    editor: '{name} le ha invitado como editor. Podrá crear y editar enlaces, códigos y páginas.',
    admin:
      '{name} le ha invitado como administrador. Podrá gestionar enlaces, códigos, páginas, miembros y claves API.',
    owner:
      '{name} le ha invitado como propietario. Podrá gestionarlo todo, incluidos el plan y las facturas.',
    member: 'Un miembro',
    otherAccount:
      'La invitación se envió a {invited} y usted ha iniciado sesión como {email}. Si acepta, {email} será el miembro.',
    accept: 'Aceptar como {email}',
    useOther: 'Usar otra cuenta',
    firstName: 'Nombre (opcional)',
    email: 'Correo electrónico',
    password: 'Contraseña',
    action: 'Crear cuenta y unirse',
    haveAccount: '¿Tiene una cuenta en {host}?',
    signIn: 'Iniciar sesión para aceptar',
  },
  passwordRules: {
    label: 'Requisitos de la contraseña',
    length: 'al menos 8 caracteres',
    lower: 'una minúscula',
    upper: 'una mayúscula',
    digit: 'un número',
    symbol: 'un símbolo',
  },
  noThirdParties: 'Autoalojado. Esta página no envía solicitudes a terceros.',
}
