package walletfi_test

import (
	"errors"
	"fmt"

	"github.com/walletfi/walletfi-go"
)

func ExampleParseAmount() {
	amount, err := walletfi.ParseAmount("1.5", 6)
	fmt.Println(amount, amount.UI(6), err)

	_, err = walletfi.ParseAmount("0.0000001", 6)
	fmt.Println(err, errors.Is(err, walletfi.ErrInvalidRequest))
	// Output:
	// 1500000 1.5 <nil>
	// invalid request: amount: "0.0000001" has more than 6 decimals true
}

func ExampleSecret() {
	key := walletfi.NewSecret("k-123")
	fmt.Printf("%v %+v %q\n", key, struct{ k walletfi.Secret }{key}.k, key)
	fmt.Println(key.Reveal())
	// Output:
	// [secret] [secret] [secret]
	// k-123
}
