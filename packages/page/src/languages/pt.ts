import type { VisitorTexts } from './en.ts'

/** Portuguese. */
export const pt: VisitorTexts = {
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
  page: {
    links: 'Ligações',
    networks: 'Redes sociais',
    pictures: 'Imagens',
    picture: 'Imagem',
    previousPicture: 'Imagem anterior',
    nextPicture: 'Imagem seguinte',
    saveContact: 'Guardar contacto',
  },
  resetMail: {
    title: 'Defina uma nova palavra-passe para o Waymark',
    says: [
      'Foi pedida uma nova palavra-passe para a sua conta Waymark.',
      'Defina-a aqui no prazo de uma hora:\n{url}',
      'Se não a pediu, ignore este e-mail: nada mudou.',
    ],
  },
  invitationMail: {
    title: 'Junte-se a {workspace} no Waymark',
    says: [
      '{name} convidou-o para o espaço de trabalho {workspace} no Waymark.',
      'Aceite o convite no prazo de 7 dias:\n{url}',
      'Se não conhece esta pessoa, ignore este e-mail.',
    ],
  },
  reset: {
    title: 'Escolha uma nova palavra-passe',
    lead: 'Termina todas as sessões, revoga todas as chaves de API e desativa todos os webhooks.',
    requestLink: 'Pedir um novo link',
    newPassword: 'Nova palavra-passe',
    confirmPassword: 'Confirmar palavra-passe',
    keepKeys: 'Manter chaves de API e webhooks',
    keepKeysHint: 'Apenas se tiver a certeza de que mais ninguém usou a sua conta.',
    action: 'Definir palavra-passe',
  },
  invitation: {
    title: 'Convite',
    wait: 'Um momento…',
    invalid: 'Este convite não funciona',
    invalidHint:
      'Um convite serve uma vez, durante 7 dias, e pode ser retirado. Quem o convidou pode criar outro em «Settings», «Members».',
    dashboard: 'Ir para o painel',
    join: 'Juntar-se a {workspace}',
    viewer: '{name} convidou-o como leitor. Poderá ver links, códigos, páginas e estatísticas.',
    editor: '{name} convidou-o como editor. Poderá criar e editar links, códigos e páginas.',
    admin:
      '{name} convidou-o como administrador. Poderá gerir links, códigos, páginas, membros e chaves de API.',
    owner: '{name} convidou-o como proprietário. Poderá gerir tudo, incluindo o plano e as faturas.',
    member: 'Um membro',
    otherAccount:
      'O convite foi enviado para {invited} e tem sessão iniciada como {email}. Se aceitar, {email} torna-se membro.',
    accept: 'Aceitar como {email}',
    useOther: 'Usar outra conta',
    firstName: 'Nome próprio (opcional)',
    email: 'E-mail',
    password: 'Palavra-passe',
    action: 'Criar conta e juntar-se',
    haveAccount: 'Tem uma conta em {host}?',
    signIn: 'Iniciar sessão para aceitar',
  },
  passwordRules: {
    label: 'Requisitos da palavra-passe',
    length: 'pelo menos 8 caracteres',
    lower: 'letra minúscula',
    upper: 'letra maiúscula',
    digit: 'número',
    symbol: 'símbolo',
  },
  noThirdParties: 'Alojado pelo próprio. Esta página não envia pedidos a terceiros.',
}
