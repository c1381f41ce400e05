import { z } from 'zod'
import { list, ListQuery, resourceTexts, Nothing, success, time } from './responses.ts'
import { described, named } from './described.ts'
import {
  imageFile,
  isConfirmed,
  multiLine,
  newPassword,
  opaque,
  passwordsMatch,
  required,
  singleLine,
  singleLineBetween,
} from './fields.ts'

const profileTexts = {
  email: 'The email address that signs in.',
  first_name: 'First name.',
  last_name: 'Last name.',
  phone: 'Phone number, 10 to 20 characters.',
  address: 'Postal address, as invoices show it.',
  image: 'The picture of the profile: an image of at most 2048 KB; in responses its URL.',
  profile: 'Another name of `image`.',
}

/** Every rule of the profile. The picture may come as `image` or as `profile`. */
export const ProfileEdit = named(
  'ProfileEdit',
  'Changes to the profile. Omitted fields do not change.',
  z.object(
    described(profileTexts, {
      first_name: singleLine().nullish(),
      last_name: singleLine().nullish(),
      phone: singleLineBetween(10, 20).nullish(),
      address: multiLine().nullish(),
      image: imageFile().nullish(),
      profile: imageFile().nullish(),
    }),
  ),
)

/** A profile in responses. */
export const Profile = named(
  'Profile',
  'The profile of an account.',
  z.object(
    described(profileTexts, {
      email: z.string(),
      first_name: z.string().nullable(),
      last_name: z.string().nullable(),
      phone: z.string().nullable(),
      address: z.string().nullable(),
      image: z.string().nullable(),
    }),
  ),
)

const feedbackTexts = {
  ...resourceTexts,
  feedback: 'Your message, at most 250 characters.',
  image: 'A picture of at most 2048 KB; in responses its URL.',
}

/** Every rule of feedback. */
export const FeedbackCreate = named(
  'FeedbackCreate',
  'New feedback.',
  z.object(described(feedbackTexts, { feedback: required(multiLine(250)), image: imageFile().nullish() })),
)

/** Feedback in responses. */
export const Feedback = named(
  'Feedback',
  'Feedback that was sent.',
  z.object(
    described(feedbackTexts, {
      uuid: z.string(),
      feedback: z.string(),
      image: z.string().nullable(),
      created_at: time,
    }),
  ),
)

/** Every rule of a password change. */
export const PasswordChange = named(
  'PasswordChange',
  'A change of the password.',
  z
    .object(
      described(
        {
          old_password: 'The current password.',
          password:
            'The new password: at least 8 characters with lower case, upper case, a digit and a symbol.',
          confirm_password: 'The new password again.',
        },
        {
          old_password: required(opaque(256)),
          password: newPassword,
          confirm_password: required(opaque(256)),
        },
      ),
    )
    .refine(isConfirmed, passwordsMatch),
)

/** Every rule of an account removal. */
export const AccountRemoval = named(
  'AccountRemoval',
  'The removal of an account.',
  z.object(
    described(
      { reason: 'Why you leave, at most 250 characters. It is stored without your name.' },
      { reason: required(multiLine(250)) },
    ),
  ),
)

/** The plan, its limits and their usage. A limit of null means no limit. */
export const Plan = named(
  'Plan',
  'The plan of an account, its limits and their usage.',
  z.object(
    described(
      {
        name: 'Name of the plan.',
        price: 'Price per interval, in the smallest unit of the currency.',
        currency: 'ISO 4217 code of the currency.',
        interval: 'How often the plan renews.',
        started_at: 'When the current period began (ISO 8601, UTC).',
        renews_at: 'When the current period ends (ISO 8601, UTC).',
        limits: 'How many of each resource the plan allows; null means no limit.',
        usage: 'How many of each resource exist.',
      },
      {
        name: z.string(),
        price: z.int(),
        currency: z.string(),
        interval: z.enum(['month', 'year']),
        started_at: time,
        renews_at: time,
        limits: z.record(z.string(), z.int().nullable()),
        usage: z.record(z.string(), z.int()),
      },
    ),
  ),
)

const partyTexts = {
  name: 'Name.',
  address: 'Postal address.',
  tax_id: 'Tax identification number.',
  email: 'Email address.',
}
const party = { name: z.string(), address: z.string().nullable() }
const Seller = z.object(described(partyTexts, { ...party, tax_id: z.string().nullable() }))
const Buyer = z.object(described(partyTexts, { ...party, email: z.string() }))
const InvoiceLine = z.object(
  described(
    {
      description: 'What is charged.',
      quantity: 'How many.',
      unit_price: 'Price of one, in the smallest unit of the currency.',
      amount: 'Price of all, in the smallest unit of the currency.',
    },
    { description: z.string(), quantity: z.int(), unit_price: z.int(), amount: z.int() },
  ),
)
const InvoiceTax = z.object(
  described(
    { rate: 'Tax rate in percent.', amount: 'Tax, in the smallest unit of the currency.' },
    { rate: z.number(), amount: z.int() },
  ),
)

/** An invoice in responses. Amounts are in the smallest unit of the currency. */
export const Invoice = named(
  'Invoice',
  'An invoice. Amounts are in the smallest unit of the currency.',
  z.object(
    described(
      {
        number: 'Number of the invoice.',
        issued_at: 'When it was issued (ISO 8601, UTC).',
        due_at: 'When it is due (ISO 8601, UTC).',
        period_start: 'Start of the period that it charges (ISO 8601, UTC).',
        period_end: 'End of that period (ISO 8601, UTC).',
        seller: 'Who sells.',
        buyer: 'Who buys.',
        lines: 'What is charged.',
        subtotal: 'Sum of the lines, before tax.',
        tax: 'The tax.',
        total: 'What is to be paid.',
        currency: 'ISO 4217 code of the currency.',
        pdf_url: 'The invoice as PDF. The link works for 15 minutes, without a key.',
      },
      {
        number: z.string(),
        issued_at: time,
        due_at: time,
        period_start: time,
        period_end: time,
        seller: named('InvoiceSeller', 'Who sells.', Seller),
        buyer: named('InvoiceBuyer', 'Who buys.', Buyer),
        lines: z.array(named('InvoiceLine', 'One line of an invoice.', InvoiceLine)),
        subtotal: z.int(),
        tax: named('InvoiceTax', 'The tax of an invoice.', InvoiceTax),
        total: z.int(),
        currency: z.string(),
        pdf_url: z.string(),
      },
    ),
  ),
)

/** Body, query and response of every operation on the account. */
export const accountSchemas = {
  currentPlan: { response: success(Plan) },
  takeout: { response: z.custom<Uint8Array>().meta({ type: 'string', format: 'binary' }) },
  downloadInvoice: {
    query: z.object({
      number: opaque(64).optional().meta({ description: 'Number of the invoice. Default: the newest.' }),
    }),
    response: success(Invoice),
  },
  updatePersonalInfo: { body: ProfileEdit, response: success(Profile) },
  addFeedback: { body: FeedbackCreate, response: success(Feedback) },
  updatePassword: { body: PasswordChange, response: success(Nothing) },
  removeAccount: { body: AccountRemoval, response: success(Nothing) },
  profile: { response: success(Profile) },
  invoices: { query: ListQuery.omit({ search: true }), response: list(Invoice) },
}
