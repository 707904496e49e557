import { CustomerView } from "@/components/customers/customer-view";
import { deferRead } from "@/components/data/streamed";
import { MovementReceipt } from "@/components/receipts/movement-receipt";
import { pageContext, readOr404, type SearchParams } from "@/lib/api/page";
import { serveCustomer } from "@/lib/counter/serve-customer";
import { customerEmails } from "@/lib/customers/change-customer-email";
import { customerProfile } from "@/lib/customers/customer";
import { customerIdSchema } from "@/lib/customers/model/customers";
import { PANELS } from "@/lib/domain/panels";
import { holdsSchema } from "@/lib/holds/model";
import { listHolds } from "@/lib/holds/read-holds";
import { statement } from "@/lib/ledger/read-movements";
import {
  changeCustomerEmailAction,
  editCustomerAction,
  sendUnfreezeCodeAction,
  stopCustomerEmailAction,
  unfreezeCustomerAction,
} from "./actions";

type CustomerPageProps = { params: Promise<{ id: string }>; searchParams: SearchParams };

/** One customer with their statement. */
export async function CustomerPage({ params, searchParams }: CustomerPageProps) {
  const ctx = await pageContext(customerProfile);
  const customer = await readOr404(
    customerProfile,
    ctx,
    customerIdSchema.parse({ customerId: (await params).id.slice(0, 100) }),
  );
  const served =
    customer.status === "erased" ? null : await readOr404(serveCustomer, ctx, { customerId: customer.id });
  const emails =
    customer.status === "erased" ? null : await readOr404(customerEmails, ctx, { customerId: customer.id });
  const reserved = served
    ? (await listHolds(ctx, holdsSchema.parse({ customerId: customer.id, state: "open" }))).results
    : [];
  const { cursor } = await searchParams;
  const page = deferRead(
    statement(ctx, {
      customerId: customer.id,
      cursor: typeof cursor === "string" ? cursor.slice(0, 40) : undefined,
    }),
  );
  return (
    <CustomerView
      customer={served ? { ...customer, balance: served.balance, cashValue: served.cashValue } : customer}
      served={served}
      reserved={reserved}
      emails={emails}
      session={ctx.actor.handle}
      statement={page}
      receipt={({ id, type }) => (
        <MovementReceipt iconOnly movement={{ id, type }} handle={ctx.actor.handle} />
      )}
      base={`/${PANELS[ctx.actor.role].segment}`}
      actions={{
        edit: editCustomerAction,
        changeEmail: changeCustomerEmailAction,
        stopEmail: stopCustomerEmailAction,
        sendCode: sendUnfreezeCodeAction,
        unfreeze: unfreezeCustomerAction,
      }}
    />
  );
}
