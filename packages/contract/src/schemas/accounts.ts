import { z } from 'zod'
import { list, ListQuery, success, time } from './answers.ts'
import {
  imageFile,
  isConfirmed,
  newPassword,
  passwordsMatch,
  requiredText,
  text,
  textBetween,
} from './fields.ts'

/** Every rule of the profile. The picture may come as `image` or as `profile`. */
export const ProfileEdit = z.object({
  first_name: text().nullish(),
  last_name: text().nullish(),
  phone: textBetween(10, 20).nullish(),
  address: text().nullish(),
  image: imageFile().nullish(),
  profile: imageFile().nullish().meta({ description: 'Another name of `image`' }),
})

/** A profile as it is answered. */
export const Profile = z.object({
  email: z.string(),
  first_name: z.string().nullable(),
  last_name: z.string().nullable(),
  phone: z.string().nullable(),
  address: z.string().nullable(),
  image: z.string().nullable(),
})

/** Every rule of feedback. */
export const FeedbackCreate = z.object({ feedback: requiredText(250), image: imageFile().nullish() })

/** Feedback as it is answered. */
export const Feedback = z.object({
  uuid: z.string(),
  feedback: z.string(),
  image: z.string().nullable(),
  created_at: time,
})

/** Every rule of a password change. */
export const PasswordChange = z
  .object({ old_password: requiredText(256), password: newPassword, confirm_password: requiredText(256) })
  .refine(isConfirmed, passwordsMatch)

/** Every rule of an account removal. */
export const AccountRemoval = z.object({ reason: requiredText(250) })

/** The plan, what it allows and what is used of it. A limit of null is no limit. */
export const Plan = z.object({
  name: z.string(),
  price: z.int().meta({ description: 'In the smallest unit of the currency' }),
  currency: z.string(),
  interval: z.enum(['month', 'year']),
  started_at: time,
  renews_at: time,
  limits: z.record(z.string(), z.int().nullable()),
  usage: z.record(z.string(), z.int()),
})

const party = { name: z.string(), address: z.string().nullable() }

/** An invoice as it is answered. Amounts are in the smallest unit of the currency. */
export const Invoice = z.object({
  number: z.string(),
  issued_at: time,
  due_at: time,
  period_start: time,
  period_end: time,
  seller: z.object({ ...party, tax_id: z.string().nullable() }),
  buyer: z.object({ ...party, email: z.string() }),
  lines: z.array(
    z.object({ description: z.string(), quantity: z.int(), unit_price: z.int(), amount: z.int() }),
  ),
  subtotal: z.int(),
  tax: z.object({ rate: z.number(), amount: z.int() }),
  total: z.int(),
  currency: z.string(),
  pdf_url: z.string().meta({ description: 'The PDF; works 15 minutes without a key' }),
})

/** Body, query and answer of every operation on the account. */
export const accountSchemas = {
  currentPlan: { answer: success(Plan) },
  downloadInvoice: {
    query: z.object({ number: text(64).optional().meta({ description: 'Default: the newest' }) }),
    answer: success(Invoice),
  },
  updatePersonalInfo: { body: ProfileEdit, answer: success(Profile) },
  addFeedback: { body: FeedbackCreate, answer: success(Feedback) },
  updatePassword: { body: PasswordChange, answer: success(z.null()) },
  removeAccount: { body: AccountRemoval, answer: success(z.null()) },
  profile: { answer: success(Profile) },
  invoices: { query: ListQuery.omit({ search: true }), answer: list(Invoice) },
}
