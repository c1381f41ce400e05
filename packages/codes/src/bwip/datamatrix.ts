export { datamatrix } from 'bwip-js/browser'
