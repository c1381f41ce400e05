import type { NoticeTexts } from './en.ts'

/** Portuguese. */
export const pt: NoticeTexts = {
  notFound: {
    title: 'Este link não existe',
    says: [
      'Pode estar mal escrito ou incompleto. Verifique o endereço.',
      'Maiúsculas e minúsculas contam: /Menu e /menu são dois links diferentes.',
    ],
  },
  notYet: {
    title: 'Este link ainda não está ativo',
    says: ['O proprietário programou-o para mais tarde. Tente novamente nessa altura.'],
  },
  ended: {
    title: 'Este link terminou',
    says: [
      'Expirou, atingiu o limite de cliques ou foi removido pelo proprietário.',
      'Peça um novo à pessoa que o enviou.',
    ],
  },
  blocked: {
    title: 'Este link está bloqueado',
    says: [
      'O operador deste serviço bloqueou este link, porque foi denunciado como nocivo ou viola as regras.',
      'Se acha que é um engano, escreva para {contact}.',
    ],
  },
  unavailable: {
    title: 'Voltamos num instante',
    says: ['Este link não pode ser aberto agora. Tente novamente dentro de alguns segundos.'],
  },
  wrongMethod: {
    title: 'Este link só pode ser aberto',
    says: ['Não é possível enviar nada para este endereço.'],
  },
  password: {
    title: 'Este link precisa de uma palavra-passe',
    says: ['O proprietário protegeu este link. Introduza a palavra-passe para continuar.'],
  },
  passwordLabel: 'Palavra-passe',
  passwordWrong: 'Palavra-passe errada. Tente novamente.',
  wait: {
    title: 'Aguarde',
    says: ['Houve demasiadas tentativas a partir da sua rede. Aguarde um pouco e tente novamente.'],
  },
  limited: {
    title: 'Este link tem um limite de cliques',
    says: [
      'Este link funciona um número limitado de vezes, por isso não é aberto para uma pré-visualização.',
    ],
  },
  preview: { title: 'Pré-visualização do link', says: ['Este link curto leva a:'] },
  previewProtected: 'O proprietário protegeu este link. O destino é mostrado depois da palavra-passe.',
  destination: 'Destino',
  iosDestination: 'No iPhone e no iPad',
  androidDestination: 'No Android',
  next: 'Continuar',
  reportLabel: 'Há algum problema com este link?',
  reportHint: 'Qual é o problema?',
  report: 'Denunciar este link',
  reported: {
    title: 'Link denunciado',
    says: ['A sua denúncia foi enviada ao operador deste serviço. Obrigado.'],
  },
  root: '{domain} disponibiliza links curtos e páginas. Abra o endereço completo que recebeu.',
}
