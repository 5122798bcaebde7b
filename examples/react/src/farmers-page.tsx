import { useQuery } from '@apollo/client/react';
import { useState } from 'react';
import { failuresOf } from './failure.ts';
import { Failures } from './failures.tsx';
import { graphql } from './gql';
import { More } from './more.tsx';
import { nodesOf } from './nodes.ts';
import { useSettled } from './settled.ts';

/** The search by first name needs that name of a new row. */
export const FarmerRow = graphql(`
  fragment FarmerRow on Farmer {
    id
    name
    first_name
    number
    city
    country
  }
`);

const FarmersDocument = graphql(`
  query Farmers($first_name: String, $after: String) {
    farmers(first: 30, first_name: $first_name, after: $after) {
      count
      edges {
        node {
          ...FarmerRow
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

export function FarmersPage() {
  const [search, setSearch] = useState('');
  const first_name = useSettled(search, 300) || undefined;
  const { data, previousData, error, loading, fetchMore, refetch } = useQuery(FarmersDocument, {
    variables: { first_name },
  });
  // The old answer stays until the answer to a new search arrives.
  const farmers = (data ?? (loading ? previousData : undefined))?.farmers;

  return (
    <>
      <h1>Farmers</h1>
      <label>
        First name contains
        <input type="search" value={search} onChange={(event) => setSearch(event.target.value)} />
      </label>
      <Failures failures={failuresOf(error)} onRetry={() => refetch()} />
      <p role="status">{farmers ? `${farmers.count} farmers` : loading && 'Loading…'}</p>
      <ul aria-label="Farmers" aria-busy={loading} className="rows">
        {nodesOf(farmers).map(({ id, name, number, city, country }) => (
          <li key={id}>
            <a href={`#/farmers/${id}`}>{name}</a>
            <span>{[number, city, country].filter(Boolean).join(' · ')}</span>
          </li>
        ))}
      </ul>
      {data?.farmers?.pageInfo.hasNextPage && (
        <More
          whenNear
          after={data.farmers.pageInfo.endCursor ?? ''}
          load={(after) => fetchMore({ variables: { after }, errorPolicy: 'all' })}
        >
          Show more
        </More>
      )}
    </>
  );
}
