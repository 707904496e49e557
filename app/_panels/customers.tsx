import { getTranslations } from "next-intl/server";
import { CustomerView } from "@/components/customers/customer-view";
import { CustomersList, CustomersSkeleton } from "@/components/customers/customers-list";
import {
  deferRead,
  FilterBar,
  FilterSearch,
  FilterSelect,
  FilterSort,
  ListFrame,
  Streamed,
} from "@/components/data";
import { serveCustomer } from "@/lib/counter/serve-customer";
import { customerEmails } from "@/lib/customers/change-customer-email";
import { customerProfile } from "@/lib/customers/customer";
import { listCustomers } from "@/lib/customers/list-customers";
import { CUSTOMER_STATUSES, customerIdSchema, listCustomersSchema } from "@/lib/domain/customers";
import { PANELS } from "@/lib/domain/panels";
import { pageContext, pageQuery, readOr404, type SearchParams } from "@/lib/http/page";
import { filterOptions, statement } from "@/lib/ledger/read-movements";
import {
  changeCustomerEmailAction,
  editCustomerAction,
  giveBonusAction,
  sendUnfreezeCodeAction,
  stopCustomerEmailAction,
  unfreezeCustomerAction,
} from "./actions";

/** The customers in the user's scope, with the filters in the URL. */
export async function CustomersPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await pageContext("customers.read");
  const query = await pageQuery(listCustomersSchema, searchParams);
  const list = deferRead(listCustomers(ctx, query));
  const [{ merchants }, t] = await Promise.all([filterOptions(ctx, {}), getTranslations("customers")]);
  const { search, status, merchantId, cursor } = query;
  const seesAllMerchants = ctx.actor.role === "super_admin";
  const order = { current: query.sort ?? "-joined", fallback: "-joined" };
  return (
    <ListFrame>
      <FilterBar fold={seesAllMerchants} names={["search", "status", "merchantId"]}>
        <FilterSearch label={t("search")} className="sm:w-96" />
        {seesAllMerchants && (
          <FilterSelect
            name="merchantId"
            label={t("merchant")}
            options={merchants.map(({ id, name }) => ({ value: id, label: name }))}
          />
        )}
        <FilterSelect
          name="status"
          label={t("status")}
          options={CUSTOMER_STATUSES.map((value) => ({ value, label: t(`statuses.${value}`) }))}
        />
        <FilterSort
          order={order}
          fields={[
            { field: "joined", time: true },
            { field: "name", label: t("name") },
          ]}
        />
      </FilterBar>
      <Streamed data={list} fallback={<CustomersSkeleton />}>
        {(page) => (
          <CustomersList
            page={page}
            searched={Boolean(search)}
            base={`/${PANELS[ctx.actor.role].segment}`}
            withMerchant={seesAllMerchants}
            filtered={Boolean(search || status || merchantId || cursor)}
            order={order}
          />
        )}
      </Streamed>
    </ListFrame>
  );
}

type CustomerPageProps = { params: Promise<{ id: string }>; searchParams: SearchParams };

/** One customer with their statement. */
export async function CustomerPage({ params, searchParams }: CustomerPageProps) {
  const ctx = await pageContext("customers.read");
  const customer = await readOr404(
    customerProfile,
    ctx,
    customerIdSchema.parse({ customerId: (await params).id.slice(0, 100) }),
  );
  const served =
    customer.status === "erased" ? null : await readOr404(serveCustomer, ctx, { customerId: customer.id });
  const emails =
    customer.status === "erased" ? null : await readOr404(customerEmails, ctx, { customerId: customer.id });
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
      emails={emails}
      giveBonus={giveBonusAction}
      statement={page}
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
