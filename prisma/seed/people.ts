/** The password of every account of the demo. */
export const DEMO_PASSWORD = "demo-wallet-2026";

/** A merchant of the demo with its staff, branches and customers. */
export type DemoMerchant = {
  key: string;
  businessName: string;
  businessNameAr?: string;
  /** The owner's own colour of the cards; with it, the symbol becomes a logo. */
  colour?: string;
  /** The colours and the symbol of its business image. */
  image: { from: string; to: string; accent: string; sign: "cup" | "book" };
  owner: DemoPerson;
  workers: (DemoPerson & { branch: number })[];
  branches: { name: string; nameAr: string; city: string }[];
  /** Usual points of a top-up and of a purchase. */
  topUps: readonly number[];
  purchases: readonly number[];
  customers: readonly DemoCustomer[];
  /** Whether one more customer deleted the card and gave up the remaining points. */
  erased: boolean;
  /** The name of a till at the first branch, with shifts in the last days. */
  till?: string;
};
export type DemoPerson = { firstName: string; lastName: string; email: string; phone: string };
type DemoCustomer = { fullName: string; email: string; locale: "en" | "ar" };

const customer = (fullName: string, email: string): DemoCustomer => ({
  fullName,
  email: `${email}@customer.test`,
  locale: /\p{Script=Arabic}/u.test(fullName) ? "ar" : "en",
});

const KARAK: DemoMerchant = {
  key: "karak",
  businessName: "Karak House",
  businessNameAr: "بيت الكرك",
  colour: "#8a1538",
  image: { from: "#7c2d12", to: "#d97706", accent: "#fde68a", sign: "cup" },
  owner: { firstName: "Noora", lastName: "Al-Kuwari", email: "owner@karak.test", phone: "+97455012001" },
  workers: [
    { firstName: "Ravi", lastName: "Menon", email: "worker@karak.test", phone: "+97455012002", branch: 0 },
    { firstName: "Grace", lastName: "Santos", email: "grace@karak.test", phone: "+97455012003", branch: 1 },
  ],
  branches: [
    { name: "The Pearl", nameAr: "اللؤلؤة", city: "Doha" },
    { name: "Al Wakrah", nameAr: "الوكرة", city: "Al Wakrah" },
  ],
  topUps: [20, 50, 50, 100, 100, 150, 200],
  purchases: [6, 8, 12, 15, 18, 22, 25, 34, 40],
  customers: [
    customer("Layla Haddad", "layla"),
    customer("محمد الكواري", "m.alkuwari"),
    customer("فاطمة المري", "fatima.almarri"),
    customer("Abdulla Al-Thani", "abdulla.althani"),
    customer("نورة الهاجري", "noora.alhajri"),
    customer("Priya Nair", "priya.nair"),
    customer("حمد السليطي", "hamad.alsulaiti"),
    customer("Maria Santos", "maria.santos"),
    customer("مريم الدوسري", "maryam.aldosari"),
    customer("Omar Khalil", "omar.khalil"),
    customer("خالد العطية", "khalid.alattiyah"),
    customer("Sofia Martins", "sofia.martins"),
    customer("عائشة النعيمي", "aisha.alnuaimi"),
    customer("James O'Connor", "james.oconnor"),
    customer("جاسم الخليفي", "jassim.alkhulaifi"),
    customer("Dina Farouk", "dina.farouk"),
    customer("سلمى بن يوسف", "salma.benyoussef"),
    customer("Arjun Pillai", "arjun.pillai"),
    customer("تميم المناعي", "tamim.almannai"),
    customer("Hana Yoshida", "hana.yoshida"),
    customer("ريم الأنصاري", "reem.alansari"),
    customer("Bilal Chaudhry", "bilal.chaudhry"),
    customer("يوسف الجابر", "yousef.aljaber"),
    customer("Elena Petrova", "elena.petrova"),
    customer("هيا الكعبي", "haya.alkaabi"),
    customer("Samuel Mensah", "samuel.mensah"),
    customer("ناصر الشمري", "nasser.alshammari"),
    customer("Mei Ling Tan", "meiling.tan"),
    customer("العنود المسند", "alanoud.almissned"),
    customer("Karim Benali", "karim.benali"),
  ],
  erased: true,
  till: "Front till",
};

const ORYX: DemoMerchant = {
  key: "oryx",
  businessName: "Oryx Books",
  image: { from: "#134e4a", to: "#0891b2", accent: "#ccfbf1", sign: "book" },
  owner: { firstName: "Yousef", lastName: "Al-Emadi", email: "owner@oryx.test", phone: "+97455013001" },
  workers: [
    { firstName: "Amal", lastName: "Hassan", email: "worker@oryx.test", phone: "+97455013002", branch: 0 },
  ],
  branches: [
    { name: "Msheireb", nameAr: "مشيرب", city: "Doha" },
    { name: "Education City", nameAr: "المدينة التعليمية", city: "Al Rayyan" },
  ],
  topUps: [50, 100, 100, 150, 200, 300, 500],
  purchases: [25, 35, 42, 55, 60, 79, 95, 120],
  customers: [
    customer("Layla Haddad", "layla"),
    customer("عبدالرحمن الباكر", "a.albaker"),
    customer("Charlotte Dubois", "charlotte.dubois"),
    customer("شيخة المالكي", "shaikha.almalki"),
    customer("Daniel Kim", "daniel.kim"),
    customer("لولوة الرميحي", "lolwa.alrumaihi"),
    customer("Ahmed Mansour", "ahmed.mansour"),
    customer("سعود العبدالله", "saoud.alabdulla"),
    customer("Nadia Rahman", "nadia.rahman"),
    customer("موزة المهندي", "moza.almohannadi"),
    customer("Thomas Weber", "thomas.weber"),
    customer("راشد البوعينين", "rashid.albuainain"),
    customer("Grace Wanjiru", "grace.wanjiru"),
    customer("دانة السادة", "dana.alsada"),
    customer("Ibrahim Diallo", "ibrahim.diallo"),
    customer("غانم الفضالة", "ghanim.alfadala"),
    customer("Anjali Menon", "anjali.menon"),
    customer("بدر اليافعي", "bader.alyafei"),
    customer("Lucia Romano", "lucia.romano"),
    customer("هند الحمادي", "hind.alhammadi"),
    customer("Faisal Qureshi", "faisal.qureshi"),
    customer("سارة الملا", "sara.almulla"),
    customer("Peter Novak", "peter.novak"),
    customer("علي الحبابي", "ali.alhababi"),
    customer("Zainab Jaffer", "zainab.jaffer"),
    customer("منيرة الخاطر", "munira.alkhater"),
    customer("Oliver Grant", "oliver.grant"),
  ],
  erased: false,
};

export const DEMO_MERCHANTS: readonly DemoMerchant[] = [KARAK, ORYX];

export const PENDING = {
  businessName: "Saffron Kitchen",
  owner: { firstName: "Mariam", lastName: "Al-Sayed", email: "owner@pending.test", phone: "+97455014001" },
  branch: { name: "Souq Waqif", city: "Doha" },
};

export const ADMINISTRATORS = [
  { role: "super_admin", firstName: "Sara", lastName: "Al-Ansari", email: "super@wallet.test" },
  { role: "admin", firstName: "Adam", lastName: "Rahim", email: "admin@wallet.test" },
] as const;
