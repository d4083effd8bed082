package signing_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// A pin that is kept with the program binds a service to one instruction of its program.
func ExamplePin() {
	exchange := seeded("exchange").PublicKey()
	var pin signing.Pin
	if err := json.Unmarshal(fmt.Appendf(nil,
		`{"program": %q, "instructions": ["f8c69e91e17587c8"], "mayWrite": ["owner", "spent", "received"]}`, exchange,
	), &pin); err != nil {
		panic(err)
	}
	key := seeded("wallet")
	guard := signing.NewGuard(signing.Policy{
		TypedPins: map[string][]signing.Pin{"swap": {pin}}, AllowBlind: []string{"swap"},
	})
	for _, data := range [][]byte{pin.Instructions[0], {0xb7, 0x12, 0x46, 0x9c, 0x94, 0x6d, 0xa1, 0x22}} {
		tx, err := signing.DecodeBytes(txbuild.Transaction{
			Format: txbuild.V0, Payer: key.PublicKey(), Blockhash: [32]byte{1},
			Instructions: []txbuild.Instruction{txbuild.Call(exchange, data, txbuild.WritableSigner(key.PublicKey()))},
		}.Bytes())
		if err != nil {
			panic(err)
		}
		_, err = guard.Check(context.Background(), tx, walletfi.Intent{Service: "swap", Owner: key.PublicKey().String()})
		var refusal *signing.GuardError
		if errors.As(err, &refusal) {
			fmt.Println(refusal.Rule, "refuses", refusal.Found)
			continue
		}
		fmt.Println("passes")
	}
	// Output:
	// passes
	// program.pinned refuses a call that begins with b712469c946da122
}
