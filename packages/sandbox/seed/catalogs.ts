import { addPremium, type Premium, type Product } from '../catalogs.ts';
import { buyer, coop } from '../framework/keys.ts';
import type { Session } from '../framework/session.ts';
import type { World } from '../framework/world.ts';

type PremiumBody = Parameters<typeof addPremium>[1];

/** `price` is in US dollars per kilogram. `in` names the catalogs that list the product. */
export const products: { name: string; description: string | null; price: number; in: 'both' | 'coop' | 'buyer' }[] = [
  { name: 'Cocoa beans, wet', description: 'Fresh pulp and beans, weighed at the farm gate', price: 0.85, in: 'both' },
  {
    name: 'Cocoa beans, dried',
    description: 'Fermented six days, sun dried to 7.5 % moisture',
    price: 3.1,
    in: 'both',
  },
  { name: 'Cocoa beans, organic', description: 'Certified organic, fermented and dried', price: 3.75, in: 'both' },
  {
    name: 'Coffee cherries',
    description: 'Ripe red cherries, delivered on the day of picking',
    price: 0.6,
    in: 'both',
  },
  { name: 'Coffee, washed parchment', description: 'Fully washed Bourbon, 12 % moisture', price: 3.9, in: 'both' },
  { name: 'Coffee, natural', description: 'Dried in the cherry on raised beds', price: 4.2, in: 'both' },
  { name: 'Coffee, wet-hulled', description: 'Giling basah from the Gayo highlands', price: 4.6, in: 'both' },
  { name: 'Nutmeg', description: 'Shelled, ABCD grade', price: 6.8, in: 'both' },
  { name: 'Cinnamon, cassia', description: 'Quills of Cinnamomum burmannii', price: 2.7, in: 'both' },
  { name: 'Shea nuts', description: 'Parboiled and dried kernels', price: 0.55, in: 'coop' },
  { name: 'Patchouli leaves', description: null, price: 0.7, in: 'coop' },
  { name: 'Vanilla, cured', description: 'Gourmet grade, 15 to 18 cm', price: 95, in: 'coop' },
  { name: 'Cocoa butter', description: 'Pressed, deodorised', price: 9.4, in: 'buyer' },
  { name: 'Roasted coffee, Café Crème', description: 'Blend for filter and espresso', price: 11.5, in: 'buyer' },
];

export const coopPremiums: PremiumBody[] = [
  { name: 'Organic premium', type: 'PER_KG', amount: 0.3 },
  { name: 'Fairtrade premium', type: 'PER_KG', amount: 0.24, included: false },
  {
    name: 'Quality bonus',
    type: 'PER_KG',
    calculation_type: 'OPTIONS',
    options: [
      { name: 'Grade A', amount: 0.5 },
      { name: 'Grade B', amount: 0.25 },
      { name: 'Grade C', amount: 0.1, is_active: false },
    ],
  },
  { name: 'Card bonus', type: 'PER_TRANSACTION', amount: 1.5, dependant_on_card: true },
  {
    name: 'Living income supplement',
    category: 'PAYOUT',
    type: 'PER_FARMER',
    calculation_type: 'MANUAL',
    amount: 40,
    included: false,
  },
];

const buyerPremiums: PremiumBody[] = [
  { name: 'Long-term partnership premium', category: 'PAYOUT', type: 'PER_KG', amount: 0.12, included: false },
];

/** Amounts of the buyer's premium by the tonnes of a year, which the real service alone shows. */
const partnershipRanges = [
  { range_from: 0, range_to: 50, amount: 0.12 },
  { range_from: 50, range_to: 250, amount: 0.15 },
];

/** Codes and names of ISO 4217, fixed here so that the seed does not change with the runtime. */
const currencies = `
AED United Arab Emirates Dirham
AFN Afghan Afghani
ALL Albanian Lek
AMD Armenian Dram
AOA Angolan Kwanza
ARS Argentine Peso
AUD Australian Dollar
AWG Aruban Florin
AZN Azerbaijani Manat
BAM Bosnia-Herzegovina Convertible Mark
BBD Barbadian Dollar
BDT Bangladeshi Taka
BHD Bahraini Dinar
BIF Burundian Franc
BMD Bermudan Dollar
BND Brunei Dollar
BOB Bolivian Boliviano
BRL Brazilian Real
BSD Bahamian Dollar
BTN Bhutanese Ngultrum
BWP Botswanan Pula
BYN Belarusian Ruble
BZD Belize Dollar
CAD Canadian Dollar
CDF Congolese Franc
CHF Swiss Franc
CLP Chilean Peso
CNY Chinese Yuan
COP Colombian Peso
CRC Costa Rican Colón
CUP Cuban Peso
CVE Cape Verdean Escudo
CZK Czech Koruna
DJF Djiboutian Franc
DKK Danish Krone
DOP Dominican Peso
DZD Algerian Dinar
EGP Egyptian Pound
ERN Eritrean Nakfa
ETB Ethiopian Birr
EUR Euro
FJD Fijian Dollar
GBP British Pound
GEL Georgian Lari
GHS Ghanaian Cedi
GMD Gambian Dalasi
GNF Guinean Franc
GTQ Guatemalan Quetzal
GYD Guyanaese Dollar
HKD Hong Kong Dollar
HNL Honduran Lempira
HTG Haitian Gourde
HUF Hungarian Forint
IDR Indonesian Rupiah
ILS Israeli New Shekel
INR Indian Rupee
IQD Iraqi Dinar
IRR Iranian Rial
ISK Icelandic Króna
JMD Jamaican Dollar
JOD Jordanian Dinar
JPY Japanese Yen
KES Kenyan Shilling
KGS Kyrgyz Som
KHR Cambodian Riel
KMF Comorian Franc
KPW North Korean Won
KRW South Korean Won
KWD Kuwaiti Dinar
KYD Cayman Islands Dollar
KZT Kazakhstani Tenge
LAK Laotian Kip
LBP Lebanese Pound
LKR Sri Lankan Rupee
LRD Liberian Dollar
LSL Lesotho Loti
LYD Libyan Dinar
MAD Moroccan Dirham
MDL Moldovan Leu
MGA Malagasy Ariary
MKD Macedonian Denar
MMK Myanmar Kyat
MNT Mongolian Tugrik
MOP Macanese Pataca
MRU Mauritanian Ouguiya
MUR Mauritian Rupee
MVR Maldivian Rufiyaa
MWK Malawian Kwacha
MXN Mexican Peso
MYR Malaysian Ringgit
MZN Mozambican Metical
NAD Namibian Dollar
NGN Nigerian Naira
NIO Nicaraguan Córdoba
NOK Norwegian Krone
NPR Nepalese Rupee
NZD New Zealand Dollar
OMR Omani Rial
PAB Panamanian Balboa
PEN Peruvian Sol
PGK Papua New Guinean Kina
PHP Philippine Peso
PKR Pakistani Rupee
PLN Polish Zloty
PYG Paraguayan Guarani
QAR Qatari Riyal
RON Romanian Leu
RSD Serbian Dinar
RUB Russian Ruble
RWF Rwandan Franc
SAR Saudi Riyal
SBD Solomon Islands Dollar
SCR Seychellois Rupee
SDG Sudanese Pound
SEK Swedish Krona
SGD Singapore Dollar
SLE Sierra Leonean Leone
SOS Somali Shilling
SRD Surinamese Dollar
SSP South Sudanese Pound
STN São Tomé & Príncipe Dobra
SYP Syrian Pound
SZL Swazi Lilangeni
THB Thai Baht
TJS Tajikistani Somoni
TMT Turkmenistani Manat
TND Tunisian Dinar
TOP Tongan Paʻanga
TRY Turkish Lira
TTD Trinidad & Tobago Dollar
TWD New Taiwan Dollar
TZS Tanzanian Shilling
UAH Ukrainian Hryvnia
UGX Ugandan Shilling
USD US Dollar
UYU Uruguayan Peso
UZS Uzbekistani Som
VES Venezuelan Bolívar
VND Vietnamese Dong
VUV Vanuatu Vatu
WST Samoan Tala
XAF Central African CFA Franc
XCD East Caribbean Dollar
XCG Caribbean guilder
XOF West African CFA Franc
XPF CFP Franc
YER Yemeni Rial
ZAR South African Rand
ZMW Zambian Kwacha
ZWG Zimbabwean Gold
`
  .trim()
  .split('\n')
  .map((line) => ({ code: line.slice(0, 3), name: line.slice(4) }));

export function seed(world: World) {
  const session = world.session();
  const now = session.now();
  for (const { code, name } of currencies) {
    const id = session.store.nextId('currency');
    session.store.insert('currency', { id, name, code, created_on: now, updated_on: now });
  }
  if (world.isBare) return { products: [], premiums: new Map<string, Premium>() };
  const rows = products.map((product) => insertProduct(session, product));
  const premiums = [
    ...coopPremiums.map((premium) => addPremium(session, { ...premium, owner: coop.company })),
    ...buyerPremiums.map((premium) =>
      addPremium(session, { ...premium, owner: buyer.company, creator: buyer.user }, partnershipRanges),
    ),
  ];
  return {
    products: rows,
    premiums: new Map(premiums.map((premium) => [premium.name, premium])),
  };
}

function insertProduct(session: Session, { name, description, in: owner }: (typeof products)[number]): Product {
  const now = session.now();
  return session.store.insert('product', {
    id: session.store.nextId('product'),
    name,
    description,
    image: '/media/images/product.png',
    is_active: true,
    companies: { both: [coop.company, buyer.company], coop: [coop.company], buyer: [buyer.company] }[owner],
    creator: coop.user,
    updater: coop.user,
    created_on: now,
    updated_on: now,
  });
}

/** A product of both catalogs. The cooperative ships only these, so that the buyer can look up every product it gets. */
export const isShared = (name: string) => products.some((product) => product.name === name && product.in === 'both');

export const priceOf = (name: string) => products.find((product) => product.name === name)?.price ?? 1;
