export { gs1_128 } from 'bwip-js/browser'
