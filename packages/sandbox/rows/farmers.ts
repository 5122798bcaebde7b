import { addFarmer, farmerFields } from '../farmers.ts';
import { type Field, list, nullable, object, oneOf, text } from '../framework/fields.ts';
import { coop } from '../framework/keys.ts';
import type { FarmerRow } from '../framework/options.ts';
import { addSubmission, submissionField } from '../shared/submissions.ts';
import { personOf } from './people.ts';
import { rowSource } from './row-source.ts';

const plot: Field<object> = { read: (value) => value as object };

const fields = {
  ...farmerFields,
  consent_status: oneOf('GRANTED', 'NOT_GRANTED', 'UNKNOWN'),
  submission: submissionField,
  image: nullable(text()),
  plots: list(plot),
};

export const farmers = rowSource<FarmerRow>()({
  table: 'entity',
  fields,
  field: object(fields),
  fill({ first_name: given }, { n, random, store }) {
    const { region, isWoman, first_name, last_name, mailbox } = personOf(n);
    const district = random.pick(region.districts);
    return {
      first_name,
      last_name,
      // The gender of a name that a test gives is not known.
      ...(given === undefined && { gender: isWoman ? 'FEMALE' : 'MALE', email: `${mailbox}${n + 1}@mail.example` }),
      number: String(store.nextNumber('entity') + 1000),
      phone: `${region.dialCode}${random.pick(region.mobilePrefixes)}${random.digits(region.subscriberDigits)}`,
      city: random.pick(district.towns),
      sub_province: district.name,
      province: region.province,
      country: region.country,
      latitude: district.latitude,
      longitude: district.longitude,
      identification_no: `${region.country.slice(0, 2).toUpperCase()}-${random.digits(9)}`,
      reference_number: `REF-${String(n + 1).padStart(5, '0')}`,
      date_of_birth: `${random.integer(1951, 2004)}-0${random.integer(1, 9)}-${random.integer(10, 28)}`,
      buyer: coop.company,
    };
  },
  add(session, { consent_status = 'GRANTED', submission: sent, image = null, plots = [], ...body }) {
    const submission = sent ? addSubmission(session, sent).id : null;
    return addFarmer(session, body, { consent_status, submission, image, plots });
  },
});
