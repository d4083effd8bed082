package terms_test

// otherNames are the terms that have several names in Go, and why.
var otherNames = map[string]string{
	"accounts":                  "AccountsRaw is the answer's form of an instruction's accounts, which no document shows.",
	"data":                      "The envelope of one post or user is named for what it holds.",
	"prioritizationfeelamports": "In a request it has six forms, in an answer it is lamports.",
}

// otherTypes are the terms that have several types, and why.
var otherTypes = map[string]string{
	"accounts": "Accounts of an instruction; those that a close-all would close, whose form no document shows; " +
		"how many those are.",
	"balance":                   "A deposit's in smallest units; a smart account's in whole tokens by mint, as the service states them.",
	"collateralamount":          "Smallest units in a request; of a position the service states whole tokens.",
	"data":                      "Bytes of an instruction, its text in the service's own encoding, and the envelope of an answer.",
	"event":                     "A webhook's kind is of a fixed set, the event of a market an identifier.",
	"h1":                        "Numbers of a period, and counts of transactions in it.",
	"h24":                       "Numbers of a period, and counts of transactions in it.",
	"m5":                        "Numbers of a period, and counts of transactions in it.",
	"intent":                    "swap has a service of intents; elsewhere it is what the guard holds a transaction to.",
	"items":                     "The records of a page, of whatever type they are.",
	"marketcapusd":              "Of one token, and of several by mint.",
	"maxspend":                  "A repayment may take several tokens.",
	"minreceive":                "An asset where no request names the mint.",
	"outcome":                   "Yes or no of a trade; a market's own text.",
	"params":                    "What a policy was created with comes back in a form that no document shows.",
	"prioritizationfeelamports": "In a request it has six forms, in an answer it is lamports.",
	"publickey":                 "A passkey's is DER, an account's base58.",
	"query":                     "Of posts it is built by operators, elsewhere it is text.",
	"quotetoken":                "A filter takes the mint, an answer describes the token.",
	"raw":                       "An answer in several parts has several.",
	"status":                    "A webhook's words are not documented.",
	"templateargs":              "A template of another service's words comes back as it is.",
	"transaction":               "The encoding of the service: base58 or base64; a call that takes both has an interface.",
	"transactions":              "As transaction; of a pool, the counts by period.",
	"volume":                    "Of predictions in contracts, of candles in the currency that was asked for.",
}
