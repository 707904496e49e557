import { LiabilityPage } from "@/app/_panels/liability";

export { liabilityMetadata as generateMetadata } from "@/app/_panels/liability";
export default LiabilityPage;
