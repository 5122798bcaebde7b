import { type FieldError, jsonOrUndefined } from '@gateway/base';
import type { EndpointName } from '@gateway/contract';
import type { Guard } from '@gateway/rest-graph';
import type {
  CreateEntityCardInput,
  CreateFormInput,
  CreatePaymentTransactionInput,
  CreateProductTransactionInput,
  UpdateCompanyInput,
  UpdateUserInput,
} from '../generated/graph.ts';
import { fieldMistakes } from './form-fields.ts';
import { currencyMistakes } from './listed-currency.ts';
import { nestedPaymentMistakes } from './nested-payments.ts';
import { nestedOptionMistakes, optionMistakes } from './premium-options.ts';
import { storageMistakes } from './storable.ts';

const createCompany: Guard<{ currency?: string | null }> = ({ currency }, context) =>
  currencyMistakes(currency, context);

const updateCompany: Guard<UpdateCompanyInput> = ({ currency }) =>
  currency == null ? [] : [mistake('currency', 'The service cannot change the currency of a company.')];

const updateUser: Guard<UpdateUserInput> = ({ language }) => tooLong(language, 10, 'language');

const createEntityCard: Guard<CreateEntityCardInput> = ({ card }) => tooLong(card?.card_id, 100, 'card', 'card_id');

/** The options of a form field are JSON text. */
const createForm: Guard<CreateFormInput> = ({ fields }) =>
  fields.flatMap(({ options }, index) =>
    options == null || jsonOrUndefined(options) !== undefined
      ? []
      : [mistake('fields', index, 'options', 'Must be JSON text.')],
  );

const createProductTransaction: Guard<CreateProductTransactionInput> = async (input, context) => [
  ...(input.currency == null ? [mistake('currency', 'Needed.')] : await currencyMistakes(input.currency, context)),
  ...nestedPaymentMistakes(input),
  ...(await nestedOptionMistakes(input, context)),
  ...(await fieldMistakes('submissions', input.submissions, input, context)),
];

const createPaymentTransaction: Guard<CreatePaymentTransactionInput> = async (input, context) => [
  ...(input.premium || input.transaction ? [] : [mistake('premium', 'Needed, where there is no transaction.')]),
  ...(await currencyMistakes(input.currency, context)),
  ...(await optionMistakes(input, context)),
  ...(await fieldMistakes('submission_details', input.submission_details, input, context)),
];

const maxFileNameLength = 100;

/** The service refuses such names too, but only after it has received the whole file. */
const uploadInvoice: Guard<{ filename: string }> = ({ filename }) => {
  const isTooLong = [...filename].length > maxFileNameLength;
  const message = `The name of the file has more than ${maxFileNameLength} characters.`;
  return isTooLong ? [{ path: ['invoice'], message }] : [];
};

const guards: { [name in EndpointName]?: Guard<never> } = {
  createCompany,
  updateCompany,
  updateUser,
  createEntityCard,
  createForm,
  createProductTransaction,
  createPaymentTransaction,
};

/** Services answer such mistakes with status 500. Some they even store, and then every read of the row and of its pages fails. */
export function guardOf(endpoint: EndpointName): Guard<never> {
  if (endpoint === 'uploadInvoice') return uploadInvoice;
  const guard = guards[endpoint] as Guard<object> | undefined;
  return async (input: object, context) => [...storageMistakes(input), ...((await guard?.(input, context)) ?? [])];
}

function tooLong(text: string | null | undefined, most: number, ...path: string[]): FieldError[] {
  return [...(text ?? '')].length > most ? [mistake(...path, `At most ${most} characters.`)] : [];
}

/** The last argument is the message. The arguments before it are the place in the input. */
function mistake(...pathAndMessage: [...(string | number)[], string]): FieldError {
  const message = pathAndMessage.at(-1) as string;
  return { path: ['input', ...pathAndMessage.slice(0, -1)], message };
}
