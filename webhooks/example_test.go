package webhooks_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/webhooks"
)

func Example() {
	events := make(chan string, 1)
	receiver, err := webhooks.NewReceiver(webhooks.ReceiverConfig{
		Verifier: webhooks.Verifier{Secrets: []walletfi.Secret{walletfi.NewSecret("whsec_1")}},
		Handler: func(_ context.Context, d *webhooks.Delivery) error {
			for _, tx := range d.EVM.Transactions {
				wei, _ := tx.Value.BigInt()
				events <- fmt.Sprintf("block %d: %s sent %s wei", d.EVM.BlockNumber, tx.From, wei)
			}
			return nil
		},
		DeadLetter: func(_ context.Context, d *webhooks.Delivery, cause error) error {
			fmt.Println("gave up:", d.Key(), cause) // a real one stores d.Raw
			return nil
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	server := httptest.NewServer(receiver) // a real one is behind TLS, with a ReadTimeout
	defer server.Close()

	signer := webhooks.DeliverySigner{Secret: walletfi.NewSecret("whsec_1")}
	body := []byte(`{"webhookId":"wh_1","network":"ETH_MAINNET","timestamp":1767225600,"blockNumber":7,"blockHash":"0x00000000000000000000000000000000000000000000000000000000000000b1","transactions":[
		{"hash":"0x00000000000000000000000000000000000000000000000000000000000000a1","from":"0x00000000000000000000000000000000000000f0","to":"0x0000000000000000000000000000000000000070","value":"0x10","gas":"21000","gasPrice":"1","input":"0x","nonce":1,"logs":[]}]}`)
	delivery := signer.Request(server.URL, body)
	for _, req := range []*http.Request{delivery, signer.Replayed(delivery), signer.Stale(server.URL, body), signer.Tampered(server.URL, body)} {
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			fmt.Println(err)
			return
		}
		resp.Body.Close()
		fmt.Println(resp.StatusCode)
	}
	fmt.Println(<-events, "and", len(events), "more")
	// Output:
	// 200
	// 200
	// 401
	// 401
	// block 7: 0x00000000000000000000000000000000000000f0 sent 16 wei and 0 more
}

func ExampleClient_CreateWebhook() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusCreated)
		io.WriteString(w, `{"id":"wh_1","enabled":true}`)
	}))
	defer server.Close()
	client, err := webhooks.New(webhooks.Config{BaseURL: server.URL, APIKey: walletfi.NewSecret("my-key")})
	if err != nil {
		fmt.Println(err)
		return
	}
	hook, err := client.CreateWebhook(context.Background(), webhooks.TemplateEVMContractEvents, webhooks.CreateWebhookRequest{
		Name: "transfers", Network: "ETH_MAINNET", DestinationURL: "https://example.com/hook", Enabled: true,
		TemplateArgs: webhooks.ContractEvents{Contracts: []string{"0xcc"}, Events: []string{"Transfer(address,address,uint256)"}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(hook.ID, *hook.Enabled)
	// Output: wh_1 true
}

func ExampleVerifier_Verify() {
	verifier := webhooks.Verifier{Secrets: []walletfi.Secret{walletfi.NewSecret("whsec_new"), walletfi.NewSecret("whsec_old")}}
	signer := webhooks.DeliverySigner{Secret: walletfi.NewSecret("whsec_old")}
	req := signer.Request("https://example.com/hook", []byte(`{"webhookId":"wh_1","network":"SOLANA_MAINNET","timestamp":1767225600,"slot":312,"transactions":[]}`))
	body, err := verifier.Verify(req.Header, req.Body)
	if err != nil {
		fmt.Println(err)
		return
	}
	d := webhooks.ParseDelivery(body)
	fmt.Println(d.WebhookID, d.Ledger.Slot, d.Timestamp.UTC())
	// Output: wh_1 312 2026-01-01 00:00:00 +0000 UTC
}
