import { PageSpinner } from "@/components/panel/page-spinner";

export default function Loading() {
  return <PageSpinner />;
}
