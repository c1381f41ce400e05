import { options } from 'preact'

/*
 * Effects run as soon as the screen is drawn. Preact would wait for the next frame, and a key pressed before it would meet
 * the handlers of the state before. React runs them early, too, when a key or a click caused them.
 */
options.requestAnimationFrame = (run) => queueMicrotask(run)
