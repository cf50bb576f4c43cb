/** What people agree to before they sign in, until the operator of an installation writes their own. */
export const defaultServiceAgreement = {
  en: `1. What this service is
This console manages connected devices and the organisations that use them. It is operated by the organisation that runs this installation (the operator), not by the makers of the software.

2. Your account
Your account is personal. Keep your password and your second factor to yourself, and tell your administrator at once when somebody else may know them. Accounts are locked after repeated wrong passwords.

3. What you may do
Use the console only for the organisations, people and devices you have been entrusted with. Do not try to reach data of other organisations, to pass by a permission or to disturb the service.

4. What is recorded
Every change and every look at personal data is recorded with your account, the time and your address. The record cannot be changed afterwards. It serves security and accountability and is kept as long as the law and the operator's rules require.

5. Devices and people
Commands you send take effect on real devices. Check the selection before you confirm. Where a device serves people, children above all, you act on the operator's instructions and within the law.

6. Availability
The operator keeps the service running with reasonable care and may interrupt it for maintenance. Data is backed up by the operator's rules.

7. End
The operator may suspend an account that endangers people, data or devices. When your task ends, your account is closed.

8. Changes
The operator may change this agreement. You are asked to read the new text before you sign in again.`,
  'zh-cn': `一、服务说明
本控制台用于管理联网设备及使用这些设备的组织。本系统由部署方（以下称“运营方”）运营，而非软件的开发者运营。

二、您的账号
账号仅限本人使用。请妥善保管密码和双因素验证方式；如怀疑他人知悉，请立即告知管理员。多次输入错误密码后账号将被锁定。

三、使用范围
仅可对受托管理的组织、人员和设备使用本控制台。不得试图访问其他组织的数据、绕过权限或干扰服务。

四、操作记录
每一次修改以及对个人信息的查看，都会连同账号、时间和地址一并记录，且事后不可更改。记录用于安全与责任认定，保存期限依照法律和运营方的规定。

五、设备与人员
您发出的指令会作用于真实设备，请在确认前核对所选对象。设备服务于人员特别是未成年人时，您应按照运营方的要求并依法操作。

六、服务可用性
运营方以合理的注意维护服务，必要时可因维护暂停服务，并按其规定备份数据。

七、终止
账号危及人员、数据或设备安全时，运营方可暂停该账号。工作任务结束后，账号将被关闭。

八、变更
运营方可以修改本协议。修改后，您再次登录前需阅读新的内容。`,
  'zh-tw': `一、服務說明
本主控台用於管理連網裝置及使用這些裝置的組織。本系統由部署方（以下稱「營運方」）營運，而非軟體的開發者營運。

二、您的帳號
帳號僅限本人使用。請妥善保管密碼和雙重驗證方式；如懷疑他人知悉，請立即告知管理員。多次輸入錯誤密碼後帳號將被鎖定。

三、使用範圍
僅可對受託管理的組織、人員和裝置使用本主控台。不得試圖存取其他組織的資料、繞過權限或干擾服務。

四、操作紀錄
每一次修改以及對個人資料的查看，都會連同帳號、時刻和位址一併記錄，且事後不可更改。紀錄用於安全與責任認定，保存期限依照法律和營運方的規定。

五、裝置與人員
您發出的指令會作用於真實裝置，請在確認前核對所選對象。裝置服務於人員特別是未成年人時，您應依照營運方的要求並依法操作。

六、服務可用性
營運方以合理的注意維護服務，必要時可因維護暫停服務，並依其規定備份資料。

七、終止
帳號危及人員、資料或裝置安全時，營運方可暫停該帳號。工作任務結束後，帳號將被停用。

八、變更
營運方可以修改本協議。修改後，您再次登入前需閱讀新的內容。`,
}

export const defaultPrivacyPolicy = {
  en: `1. Who is responsible
The organisation that runs this installation (the operator) decides why and how personal data is used here. Ask your administrator for its name and contact.

2. What is stored about administrators
Login account, name, department, roles, mobile number if given, photo if given, sign-in times and addresses, and the record of your operations. It is needed to run the service, to protect it and to show who did what.

3. What is stored about people the devices serve
Depending on what the operator uses: names, organisation, numbers and cards, photos for recognition, records of access, attendance, calls, health or sports. Each screen shows only what its purpose needs; certificate numbers are masked.

4. Children
Many of the people a school enters here are children. Their data is entered on the instruction of the school and, where the law asks for it, with the consent of a parent or guardian; for children under 14 separate consent of the guardian is required. Only what the school's task needs is stored. Photos and health data of children are seen only by those whose role needs them, every look is recorded, and the data is removed when the child leaves unless the law says otherwise. Children's data is never used for advertising or profiles and never sold. Parents and guardians may ask the school at any time to see, correct or remove it.

5. Where it is and who receives it
Data stays on the servers of the operator. It leaves them only where the operator has set up a receiver (for example a message gateway or a push address) or where the law demands it.

6. How long
Operation records are kept as the law and the operator's rules require. Exported files are removed automatically after the days set in system configuration. Accounts that are no longer needed are deleted.

7. How it is protected
Passwords are stored only as hashes, secrets are encrypted, every access is checked against role and organisation, and the record of operations is chained so that changes show.

8. In your browser
The browser stores your session, language and appearance. No cookies are set and nothing is shared with third parties.

9. Your rights
You may ask the operator for access, correction, deletion, a copy and, where consent was given, to withdraw it.`,
  'zh-cn': `一、责任方
部署并运营本系统的组织（以下称“运营方”）决定个人信息的处理目的和方式。其名称和联系方式请向管理员询问。

二、管理员的信息
登录账号、姓名、部门、角色、手机号（如填写）、照片（如上传）、登录时间和地址以及操作记录。这些信息用于提供服务、保障安全并明确操作责任。

三、设备所服务人员的信息
视运营方启用的功能而定：姓名、所属组织、编号和卡号、用于识别的照片，以及通行、考勤、通话、健康或体育记录。各页面仅显示其用途所需的内容，证件号码脱敏显示。

四、未成年人
学校录入的人员中有许多是儿童。其信息由学校按职责录入；依法需要时须取得父母或其他监护人同意，其中不满十四周岁的儿童须取得监护人的单独同意。仅保存学校履行职责所必需的信息。儿童的照片和健康信息仅限职责需要的人员查看，每次查看均有记录；儿童离校后，除法律另有规定外，予以删除。儿童信息绝不用于广告或用户画像，绝不出售。父母和其他监护人可以随时向学校要求查阅、更正或删除。

五、存放与接收方
数据保存在运营方的服务器上。仅在运营方设置了接收方（例如短信网关或推送地址）或法律要求时，才会向外提供。

六、保存期限
操作记录按照法律和运营方的规定保存。导出的文件在系统配置规定的天数后自动删除。不再需要的账号将被删除。

七、保护措施
密码仅以散列值保存，密钥加密保存，每次访问均按角色和组织校验，操作记录链式保存，任何改动都能被发现。

八、浏览器中的数据
浏览器保存会话、语言和外观设置。不使用 Cookie，也不与第三方共享。

九、您的权利
您可以向运营方要求查阅、更正、删除和复制个人信息；基于同意处理的，可以撤回同意。`,
  'zh-tw': `一、責任方
部署並營運本系統的組織（以下稱「營運方」）決定個人資料的處理目的和方式。其名稱和聯絡方式請向管理員詢問。

二、管理員的資料
登入帳號、姓名、部門、角色、手機號碼（如填寫）、照片（如上傳）、登入時刻和位址以及操作紀錄。這些資料用於提供服務、保障安全並釐清操作責任。

三、裝置所服務人員的資料
視營運方啟用的功能而定：姓名、所屬組織、編號和卡號、用於辨識的照片，以及通行、出勤、通話、健康或體育紀錄。各頁面僅顯示其用途所需的內容，證件號碼以遮罩顯示。

四、未成年人
學校登錄的人員中有許多是兒童。其資料由學校依職責登錄；依法需要時須取得父母或其他監護人同意，其中未滿十四歲的兒童須取得監護人的單獨同意。僅保存學校履行職責所必需的資料。兒童的照片和健康資料僅限職責需要的人員查看，每次查看均有紀錄；兒童離校後，除法律另有規定外，予以刪除。兒童資料絕不用於廣告或個人側寫，絕不出售。父母和其他監護人可以隨時向學校要求查閱、更正或刪除。

五、存放與接收方
資料保存在營運方的伺服器上。僅在營運方設定了接收方（例如簡訊閘道或推播位址）或法律要求時，才會向外提供。

六、保存期限
操作紀錄依照法律和營運方的規定保存。匯出的檔案在系統設定規定的天數後自動刪除。不再需要的帳號將被刪除。

七、保護措施
密碼僅以雜湊值保存，金鑰加密保存，每次存取均依角色和組織檢查，操作紀錄鏈式保存，任何更動都能被發現。

八、瀏覽器中的資料
瀏覽器保存工作階段、語言和外觀設定。不使用 Cookie，也不與第三方共享。

九、您的權利
您可以向營運方要求查閱、更正、刪除和複製個人資料；基於同意處理的，可以撤回同意。`,
}
