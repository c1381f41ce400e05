import { createClient } from '@waymark/sdk'
import { expect, it } from 'vitest'
import { upload, wrongFields } from './support/pages.ts'
import { png } from './support/pictures.ts'
import { get, multipart, post } from './support/requests.ts'
import { onStack } from './support/stacks.ts'

const EMPTY = {
  color: null,
  accent: null,
  background: null,
  font: null,
  logo: null,
  styles: [],
  default_style: null,
}

onStack('embedded', (waymark) => {
  it('is empty at first, keeps what is left out, and removes what is null', async () => {
    const [account, other] = [await waymark().account(), await waymark().account()]
    const read = async () => (await get(waymark(), account, '/v1/brand-kit')).body.data
    const edit = (body: Parameters<typeof post>[3]) => post(waymark(), account, '/v1/edit-brand-kit', body)
    expect(await read()).toEqual(EMPTY)

    const saved = await edit({ color: '#0b5d4a', accent: '#FC2' })
    expect([saved.status, saved.body.message]).toEqual([200, 'Brand kit saved'])
    expect(saved.body.data).toEqual({ ...EMPTY, color: '#0b5d4a', accent: '#ffcc22' })
    const logo = (await edit(multipart([upload('logo', png(255))]))).body.data.logo
    expect(await read()).toEqual({ ...EMPTY, color: '#0b5d4a', accent: '#ffcc22', logo })
    expect((await fetch(logo)).headers.get('content-type')).toMatch(/^image\//)

    expect((await edit({ accent: null, logo: null })).body.data).toEqual({ ...EMPTY, color: '#0b5d4a' })
    await expect.poll(async () => (await fetch(logo)).status).toBe(404)
    expect((await get(waymark(), other, '/v1/brand-kit')).body.data).toEqual(EMPTY)
  })

  it('takes colours and images alone, and only signed requests', async () => {
    const account = await waymark().account()
    const wrong = await post(waymark(), account, '/v1/edit-brand-kit', { color: 'red', background: '#12' })
    expect([wrong.status, wrongFields(wrong)]).toEqual([422, ['background', 'color']])
    const twice = { name: 'Menu', pattern: 'dots' }
    const styles = [twice, { ...twice, name: '', color: 'red' }, { ...twice, frame_font: 'comic' }]
    const named = await post(waymark(), account, '/v1/edit-brand-kit', { styles, font: 'comic' })
    expect([named.status, wrongFields(named)]).toEqual([
      422,
      ['font', 'styles.1.color', 'styles.1.name', 'styles.2.frame_font'],
    ])
    const same = await post(waymark(), account, '/v1/edit-brand-kit', { styles: [twice, twice] })
    expect([same.status, same.body.errors]).toEqual([422, { styles: ['Two styles have the same name'] }])
    const headers = { 'x-api-key': account.apiKey }
    expect((await fetch(`${waymark().url}/v1/brand-kit`, { headers })).status).toBe(401)
  })

  it('is called by the SDK, and ends with the account', async () => {
    const { apiKey, secret } = await waymark().account()
    const client = createClient({ baseUrl: waymark().url, apiKey, secret })
    const file = new File([new Uint8Array(png(0, 255))], 'logo.png', { type: 'image/png' })
    const { data } = await client.editBrandKit({ background: '#ffffff', logo: file })
    expect((await client.brandKit()).data).toEqual(data)
    expect((await fetch(data.logo ?? '')).status).toBe(200)
    await client.removeAccount({ reason: 'Done' })
    await expect.poll(async () => (await fetch(data.logo ?? '')).status).toBe(410)
  })
})
