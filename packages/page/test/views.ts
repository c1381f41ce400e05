import type { PageImage, PageView } from '../src/index.ts'

const networks = ['instagram', 'facebook', 'whatsapp', 'twitter', 'youtube']

export const uuid = '019b76da-a800-7000-8000-000000000001'

/** A page without pictures and without a theme. */
export const bare: PageView = {
  uuid,
  address: 'https://go.example.com/p/mara',
  title: 'Mara Lindqvist',
  subtext: 'Ceramics from a small studio in Malmö.\nSlow, sturdy, made for every day.',
  logoPosition: 'top-center',
  buttons: [
    { id: 1, label: 'Shop the winter kiln', url: 'https://shop.example.com/?a=1&b=2' },
    { id: 2, label: 'Book a wheel-throwing class', url: 'https://example.com/class' },
    { id: 3, label: 'Open on Fridays', url: null },
    { id: 4, label: 'Hidden for now', url: 'https://example.com/hidden', status: 0 },
  ],
  socialIcons: networks.map((name) => ({ name, link: `https://example.com/${name}` })),
}

const image = (id: number, more: Partial<PageImage> = {}): PageImage => ({
  id,
  src: `/m/${id}.webp`,
  width: 1200,
  height: 900,
  candidates: [
    { src: `/m/${id}.webp?w=480`, width: 480 },
    { src: `/m/${id}.webp?w=960`, width: 960 },
  ],
  ...more,
})

/** A page with an image, a video and a contact among its buttons. */
export const withBlocks: PageView = {
  ...bare,
  buttons: [
    { id: 1, type: 'image', label: 'The kiln', image: { src: '/m/1.webp', width: 1200, height: 900 } },
    { id: 2, type: 'image', label: '', url: 'https://shop.example.com/x', image: { src: '/m/2.webp' } },
    {
      id: 3,
      type: 'video',
      label: 'Throwing a bowl',
      url: 'https://video.example.com/1',
      image: { src: 'https://pictures.example.org/v.jpg' },
    },
    {
      id: 4,
      type: 'contact',
      label: '',
      file: '/p/mara/4.vcf',
      image: { src: '/m/3.webp' },
      contact: {
        first_name: 'Mara',
        last_name: 'Lindqvist',
        organisation: 'Studio',
        title: 'Potter',
        phone: '+46 (0)40 123-456',
        email: 'mara@example.com',
        website: 'https://example.com/',
        street: 'Ågatan 1',
        city: 'Malmö',
        postcode: '211 11',
        note: 'Ring twice',
      },
    },
  ],
}

/** A page that has everything. */
export const full: PageView = {
  ...bare,
  lang: 'sv',
  logo: { src: '/m/logo.webp', width: 200, height: 200 },
  logoText: 'Studio',
  images: [
    image(1, { title: 'Glazing day' }),
    image(2),
    { id: 3, src: 'https://pictures.example.org/kiln.jpg', status: 1 },
    { id: 4, src: 'https://hidden.example.org/x.jpg', status: 0 },
  ],
  theme: {
    bodyBg: '#e8ddff',
    bggradient: ['#3b1d6e', '#7a2b8f'],
    textColor: '#fdf7ff',
    subTextColor: '#e0cff5',
    buttonBgColor: '#ffd166',
    buttonTextColor: '#2b1055',
    logoBgColor: '#ffffff',
    socialIconColor: '#ffe9b0',
    borderWidth: '3px',
    borderColor: '#ffc233',
    borderRadius: '28px',
    boxShadow: '0 20px 60px rgba(59, 29, 110, 0.4)',
  },
  topShape: { color: '#ffd199', height: 160, clip: 'polygon(0 0, 100% 0, 100% 70%, 0 100%)' },
  socialAlign: 'left',
  socialIcons: [
    { name: 'instagram', link: 'https://example.com/i', bg: '#c4175c' },
    { name: 'Mastodon', link: 'https://example.com/m', bg: null },
    { name: 'youtube', link: null },
  ],
  preview: { src: '/o/preview.png', width: 1200, height: 630 },
}
