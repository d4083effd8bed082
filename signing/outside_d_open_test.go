package signing_test

import (
	"slices"
	"strings"
	"testing"
)

// openD are the attempts of the tests TestOutsideD... that the guard does not answer as it should, by their
// test and the first word of their name, and why. Those that name ways to show them are open in these alone.
var openD = map[string]string{
	"Rent/R14 states,second": othersRent, "Rent/R15": othersRent, "Rent/R34": othersRent,
	"Rent/R28 told,second told,step": "within a call, SOL that is wrapped as the account is made counts as spent",

	"Anothers/O9": oldDelegate, "Anothers/O10": oldDelegate, "Anothers/O11": oldDelegate, "Anothers/O12": oldDelegate,
	"Anothers/O20": listing,

	"Vaults/V17": handedOver, "Vaults/V28": handedOver, "Strangers/E7": handedOver,
	"Vaults/V23 told,second told,step": "a listed account that the call makes by CreateAccount",

	"Authorities/A22b":            "the permanent delegate of a mint that only its account names",
	"Authorities/A22c":            freezes,
	"Authorities/A34":             freezes,
	"Lies/S4":                     "a part of the fee counts as the fee",
	"Strangers/E26 states,second": "by states, SOL that a key's wallet gets looks like SOL that it moves",
	"Strangers/E30":               "a payee's account is the payee's, whoever it is shown to belong to",
}

const (
	othersRent  = "rent of accounts that are made within a call counts as rent, whoever gets them"
	oldDelegate = "what comes into an account of ours counts as ours, although an old delegate may take it"
	listing     = "a token account that the list names with its mint is the caller's, whosever the states say it is"
	handedOver  = "an account of a program that had our key in its data has another's in its place"
	freezes     = "by states, an account of another is frozen by our freeze authority"
)

// noteOpen has skipOpen pass over the attempts that openD names.
func noteOpen(t *testing.T, names ...string) {
	t.Helper()
	test := strings.TrimPrefix(t.Name(), "TestOutsideD")
	for key, why := range openD {
		id, ways, some := strings.Cut(key, " ")
		for _, name := range names {
			first, _, _ := strings.Cut(strings.ReplaceAll(name, ",", " "), " ")
			way := name[strings.LastIndex(name, ", ")+2:]
			if strings.TrimPrefix(id, test+"/") != first || id == first {
				continue
			}
			if !some || slices.Contains(strings.Split(ways, ","), way) {
				stillOpen[t.Name()+"/"+strings.ReplaceAll(name, " ", "_")] = why
			}
		}
	}
}
