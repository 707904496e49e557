import { NoticesPage } from "@/app/_panels/notices";

export { noticesMetadata as generateMetadata } from "@/app/_panels/notices";
export default NoticesPage;
