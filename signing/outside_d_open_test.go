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

	"Anothers/O20": listing,

	"Authorities/A34": freezes,
	"Lies/S4":         "a part of the fee counts as the fee",
}

const (
	othersRent = "rent of accounts that are made within a call counts as rent, whoever gets them"
	listing    = "a token account that the list names with its mint is the caller's, whosever the states say it is"
	freezes    = "by states, an account of another is frozen by our freeze authority"
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
