export { azteccode } from 'bwip-js/browser'
