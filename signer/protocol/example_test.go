package protocol_test

import (
	"encoding/json"
	"fmt"

	"github.com/walletfi/walletfi-go/signer/protocol"
)

// The body of a refusal that a client may repeat later.
func Example() {
	body, err := json.Marshal(protocol.Refusal{Code: "frozen", Text: "the signer is frozen", Waits: true})
	if err != nil {
		panic(err)
	}
	fmt.Println(string(body))
	// Output: {"code":"frozen","text":"the signer is frozen","waits":true}
}
