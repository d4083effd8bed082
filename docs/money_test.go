package docs_test

import (
	"fmt"

	"github.com/walletfi/walletfi-go"
)

func Example_money() {
	amount, err := walletfi.ParseAmount("25.5", 6) // USDC has 6 decimals
	fmt.Println(amount, amount.UI(6), err)

	_, err = walletfi.ParseAmount("0.0000001", 6)
	fmt.Println(err)

	a, b := walletfi.MustDecimal("0.10"), walletfi.MustDecimal("0.1")
	fmt.Println(a, b, a.Cmp(b) == 0)
	// Output:
	// 25500000 25.5 <nil>
	// invalid request: amount: "0.0000001" has more than 6 decimals
	// 0.10 0.1 true
}
