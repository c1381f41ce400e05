/** Common words for where people come from, for those who have none of their own yet. */
export const channels = {
  sources: ['newsletter', 'instagram', 'facebook', 'youtube', 'linkedin', 'google', 'flyer', 'qr'],
  media: ['email', 'social', 'cpc', 'referral', 'print', 'video', 'sms'],
} as const
