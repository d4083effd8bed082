package hollow

// Records with all members that their services document for them.
var (
	wholePosition = `{"mint":"M1111111111111111111111111111111","symbol":"S","depositType":"regular","balance":0,"interestEarned":0,"apy":4.5,"protocol":"p"}`
	wholeReward   = `{"mint":"M1111111111111111111111111111111","symbol":"S","amount":1,"claimable":true}`
	wholePending  = `{"mint":"M1111111111111111111111111111111","amount":1,"withdrawType":"boosted","initiatedAt":1700000000,"availableAt":1700172800,
		"cooldownRemaining":0}`
	wholePool = `{"mint":"M1111111111111111111111111111111","symbol":"S","decimals":6,"protectedApy":4.5,"boostedApy":9,"customApy":6,"totalDeposited":0,
		"protectedDeposits":0,"boostedDeposits":0,"availableCapacity":0,"coverageRatio":0.85,"protocols":[]}`
	wholeProtocol = `{"name":"p","apy":4.5,"allocation":0.5}`
	wholeDeposit  = `{"type":"deposit","timestamp":1700000000,"mint":"M1111111111111111111111111111111","amount":0,"depositType":"regular","signature":"S111111111111111111111111111111111111111111111111111111111111111"}`
	wholeRate     = `{"timestamp":1700000000,"protectedApy":4.5,"boostedApy":9,"bestProtocol":"p","bestProtocolApy":5}`

	wholeAccount = `{"id":"acc_1","address":"A1111111111111111111111111111111","name":"n","type":"personal","status":"active"}`
	wholeSession = `{"id":"sess_1","publicKey":"K1111111111111111111111111111111","name":"n","expiresAt":"2027-01-01T00:00:00Z","permissions":["swap"],
		"status":"active"}`
	wholePolicy = `{"id":"pol_1","type":"spending_limit","name":"n","status":"active"}`
	wholeDebit  = `{"id":"dd_1","merchant":"m1111111111111111111111111111111","merchantName":"shop","mint":"M1111111111111111111111111111111","maxAmount":"0","frequency":"monthly",
		"expiresAt":"2027-01-01T00:00:00Z","status":"active","createdAt":"2026-01-01T00:00:00Z",
		"lastDebit":"2026-01-02T00:00:00Z","nextDebit":"2026-02-02T00:00:00Z"}`
	wholeExecuted = `{"id":"tx_1","signature":"S111111111111111111111111111111111111111111111111111111111111111","status":"confirmed","timestamp":"2026-01-01T00:00:00Z"}`

	wholeOffer = `{"address":"Q1111111111111111111111111111111","baseTokenAddress":"B1111111111111111111111111111111","quoteTokenAddress":"Q1111111111111111111111111111111","side":"LONG","maxLeverage":5,"interestRate":0.1,
		"totalLiquidity":"0"}`
	wholeLeveraged = `{"address":"P1111111111111111111111111111111","status":"EXECUTED","unrealizedPnlUsd":"-1.5","roiPercent":"-2","liquidationPrice":"95.5",
		"currentLtv":"0.5","effectiveLeverage":"2","interestAccrued":"0","dailyInterestCost":"0","entryPrice":"140",
		"currentPrice":"139","collateralAmount":"5","borrowedAmount":"5"}`

	wholeEvent  = `{"ticker":"EV","title":"t","description":"d","status":"active","close_time":"2027-01-01T00:00:00Z"}`
	wholeMarket = `{"ticker":"MK","event_ticker":"EV","title":"t","yes_mint":"` + mintIn + `","no_mint":"` + mintOut + `",
		"ledger_mint":"` + mintIn + `","status":"active","last_price":0.5,"yes_price":0.5,"no_price":0.5,"volume_24h":1,
		"open_interest":1,"created_at":"2026-01-01T00:00:00Z"}`
	wholeSummary   = `{"ticker":"MK","yes_mint":"` + mintIn + `","no_mint":"` + mintOut + `","last_price":0.5}`
	wholeTrade     = `{"id":"1","ticker":"MK","price":0.5,"quantity":0,"side":"buy","outcome":"yes","timestamp":"2026-01-01T00:00:00Z"}`
	wholeForecast  = `{"timestamp":"2026-01-01T00:00:00Z","probability":0.5,"volume":1}`
	wholeCandle    = `{"timestamp":"2026-01-01T00:00:00Z","open":0.5,"high":0.5,"low":0.5,"close":0.5,"volume":1}`
	wholeOutcome   = `{"mint":"` + mintIn + `","market_ticker":"MK","outcome":"yes"}`
	wholeMilestone = `{"name":"n","timestamp":"2026-01-01T00:00:00Z","probability_before":0.5,"probability_after":0.6,"volume_spike":1}`
)
