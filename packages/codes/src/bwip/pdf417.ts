export { pdf417 } from 'bwip-js/browser'
