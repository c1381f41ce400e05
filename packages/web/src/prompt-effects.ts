import { options } from 'preact'

/*
 * Effects run as soon as the screen is rendered. Preact would wait for the next frame, and a key pressed before it would reach
 * the handlers of the previous state. React also runs them early when a key or click caused them.
 */
options.requestAnimationFrame = (run) => queueMicrotask(run)
