import { apiKeys } from '#test/contract/repos/api-keys.contract.ts';
import { certainPuts } from '#test/contract/repos/certain-put.contract.ts';
import { requestClaims } from '#test/contract/repos/claims.contract.ts';
import { events } from '#test/contract/repos/events.contract.ts';
import { paymentChanges } from '#test/contract/repos/payment-changes.contract.ts';
import { paymentClaims } from '#test/contract/repos/payment-claims.contract.ts';
import { paymentLists } from '#test/contract/repos/payment-list.contract.ts';

paymentClaims();
paymentChanges();
paymentLists();
requestClaims();
apiKeys();
events();
certainPuts();
