import type { Samples } from './trading-world.ts';

/** Operations as the screens of apps send them, by name. */
export function planOperations({ transactions, payments, farmers, companies, users }: Samples): Map<string, string> {
  const each = (ids: string[], field: string, selection: string) =>
    ids.map((id, n) => `o${n}: ${field}(id: "${id}") { ${selection} }`).join(' ');
  /** Ids that lie `step` rows apart. */
  const apart = (ids: string[], count: number, step: number) =>
    Array.from({ length: count }, (_, n) => ids[(n * step) % ids.length] as string);
  const rows = (field: string, page: string, selection: string) => `${field}(${page}) { results { ${selection} } }`;
  return new Map(
    Object.entries({
      '5 farmers': rows('farmers', 'limit: 5', 'id name phone'),
      '20 farmers with creator': rows('farmers', 'limit: 20', 'name number creator { first_name } buyer { name }'),
      '100 farmers': rows('farmers', 'limit: 100', 'id name city'),
      '50 farmers with card': rows('farmers', 'limit: 50', 'name entity_card { card { card_id } }'),
      'farmers by name': rows('farmers', 'last_name: "osei", limit: 20', 'name number creator { email }'),
      '5 transactions': rows('productTransactions', 'limit: 5', 'number amount source { name } product { name }'),
      '20 transactions': rows(
        'productTransactions',
        'limit: 20',
        'number product { name } source { name } destination { name } creator { first_name } currency { code }',
      ),
      '50 transactions with source': rows('productTransactions', 'limit: 50', 'number amount source { id name }'),
      '100 transactions with source': rows(
        'productTransactions',
        'limit: 100',
        'number source { name } currency { code }',
      ),
      '120 transactions with product': rows('productTransactions', 'limit: 120', 'number product { name } source_id'),
      '20 transactions with parents': rows('productTransactions', 'limit: 20', 'number parents { number amount }'),
      '50 transactions with parents': rows('productTransactions', 'limit: 50', 'number parents { number date }'),
      'goods in stock': rows(
        'productTransactions',
        'quantity_available: true, limit: 20',
        'number current_quantity product { name } source { name }',
      ),
      'one transaction': each(
        transactions.slice(3, 4),
        'productTransaction',
        'number source { name } destination { name } product { name } creator { first_name } parents { number }',
      ),
      'a chain of parents': each(
        transactions.slice(0, 3),
        'productTransaction',
        'number parents { number source { name } parents { number source { name } parents { number } } }',
      ),
      '5 transactions by id': each(apart(transactions, 5, 31), 'productTransaction', 'number amount'),
      '18 transactions by id': each(transactions.slice(0, 18), 'productTransaction', 'number amount source { name }'),
      '12 farmers by id': each(apart(farmers, 12, 17), 'farmer', 'name phone'),
      '20 farmers by id': each(farmers.slice(0, 20), 'farmer', 'name phone'),
      '6 entities by id': each([...apart(farmers, 4, 50), ...companies.slice(0, 2)], 'entity', 'name __typename'),
      '3 companies': each(companies.slice(0, 3), 'company', 'name creator { first_name } currency { code }'),
      'a company with members': `productTransactions(limit: 1) { results { destination { name ... on Company {
        members { first_name email } products { name } forms { id fields { label } } } } } }`,
      'users by id': each(users.slice(0, 6), 'user', 'first_name default_entity { name }'),
      '20 payments': rows('paymentTransactions', 'limit: 20', 'number amount destination { name } currency { code }'),
      '50 payments with transaction': rows(
        'paymentTransactions',
        'limit: 50, offset: 300',
        'amount transaction { number date }',
      ),
      '5 payments': rows('paymentTransactions', 'limit: 5', 'number amount premium { name } creator { first_name }'),
      'one payment': each(payments.slice(5, 6), 'paymentTransaction', 'amount source { name } transaction { number }'),
      '20 entity cards': rows('entityCards', 'limit: 20', 'card { card_id } entity { name }'),
      '100 entity cards': rows('entityCards', 'limit: 100', 'card { card_id } entity { name }'),
      'products and their creators': rows('products', 'limit: 20', 'name creator { first_name }'),
      '200 entity cards': rows('entityCards', 'limit: 200', 'is_active entity_id card { display_id }'),
      'cards and currencies': `${rows('cards', 'limit: 50', 'card_id')} ${rows('currencies', 'limit: 150', 'code')}`,
      counts: 'farmers { count } productTransactions { count } paymentTransactions { count } products { count }',
      'home screen': `${rows('farmers', 'limit: 5', 'name')} ${rows('products', 'limit: 10', 'name')}
        ${rows('productTransactions', 'limit: 10', 'number product { name } source { name }')}
        ${rows('paymentTransactions', 'limit: 5', 'amount destination { name }')}
        ${rows('entityCards', 'limit: 5', 'card { display_id }')} currencies { count }`,
      'deep nesting': rows(
        'productTransactions',
        'limit: 10',
        `number creator { first_name } source { name creator { first_name } }
         parents { number source { name } creator { first_name } parents { number source { name } } }`,
      ),
    }).map(([name, selection]) => [name, `{ ${selection} }`]),
  );
}
