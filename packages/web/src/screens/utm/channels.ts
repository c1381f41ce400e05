/** Suggestions for accounts without earlier values. */
export const channels = {
  sources: ['newsletter', 'instagram', 'facebook', 'youtube', 'linkedin', 'google', 'flyer', 'qr'],
  // Those that analytics tools know.
  media: ['email', 'social', 'cpc', 'display', 'affiliate', 'referral', 'video', 'audio', 'sms'],
} as const
