export { gs1datamatrix } from 'bwip-js/browser'
