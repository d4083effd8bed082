package signer_test

import (
	"fmt"
	"strings"

	"github.com/walletfi/walletfi-go/signer"
)

// What a change of the policy would change, in words.
func Example() {
	was := policyText()
	policy, err := signer.ParsePolicy([]byte(was))
	if err != nil {
		panic(err)
	}
	next, err := signer.ParsePolicy([]byte(strings.Replace(was, "tip = 1_000_000", "tip = 2_000_000", 1)))
	if err != nil {
		panic(err)
	}
	for _, line := range policy.Diff(next) {
		fmt.Println(line)
	}
	// Output:
	// - A transaction costs at most 10000 lamports of network fees, 1000000 of tip, 10000000 of rent and 0 of rent for others.
	// + A transaction costs at most 10000 lamports of network fees, 2000000 of tip, 10000000 of rent and 0 of rent for others.
}
