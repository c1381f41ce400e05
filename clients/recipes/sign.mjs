import { createHash, createHmac } from 'node:crypto'
import { openAsBlob } from 'node:fs'

const { BASE_URL = 'http://localhost:3000', API_KEY, SECRET } = process.env
const sha256 = (data) => createHash('sha256').update(data).digest('hex')

async function send(method, target, digest, body, headers = {}) {
  const timestamp = String(Date.now())
  const canonical = [timestamp, method, target, digest].join('\n')
  const response = await fetch(BASE_URL + target, {
    method,
    body,
    headers: {
      ...headers,
      accept: 'application/json',
      'x-api-key': API_KEY,
      'x-timestamp': timestamp,
      'x-signature': createHmac('sha256', SECRET).update(canonical).digest('hex'),
    },
  })
  return response.json()
}

function sendJson(target, fields) {
  const body = JSON.stringify(fields)
  return send('POST', target, sha256(body), body, { 'content-type': 'application/json' })
}

async function sendForm(target, form) {
  let manifest = ''
  for (const [name, value] of form) {
    // FormData sends every line break of a text as CRLF, so that is what must be signed.
    const data =
      typeof value === 'string' ? value.replace(/\r?\n|\r/g, '\r\n') : Buffer.from(await value.arrayBuffer())
    manifest += `${name}\n${sha256(data)}\n`
  }
  return send('POST', target, sha256(manifest), form)
}

console.log(await send('GET', '/v1/current-plan', sha256('')))
console.log(
  await sendJson('/v1/generate-utm', {
    url: 'https://example.com/',
    source: 'newsletter',
    medium: 'email',
    campaign: 'spring',
    content: 'button',
  }),
)
const form = new FormData()
form.append('feedback', 'It points the way')
form.append('image', await openAsBlob('picture.png'), 'picture.png')
console.log(await sendForm('/v1/add-feedback', form))
