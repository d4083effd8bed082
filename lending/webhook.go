package lending

import (
	"context"
	"fmt"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// WebhookEvent is the kind of a notification. The service posts notifications to
// the URL that is set in its developer portal.
type WebhookEvent string

// The webhook events.
const (
	WebhookDepositCompleted   WebhookEvent = "deposit.completed"   // a deposit was confirmed
	WebhookWithdrawCompleted  WebhookEvent = "withdraw.completed"  // a withdrawal was confirmed
	WebhookWithdrawAvailable  WebhookEvent = "withdraw.available"  // the cooldown of a boosted withdrawal has ended
	WebhookRebalanceExecuted  WebhookEvent = "rebalance.executed"  // funds were moved to a higher yield
	WebhookPositionLiquidated WebhookEvent = "position.liquidated" // a protocol failed and the protection acted
)

func init() {
	wire.Words(WebhookDepositCompleted, WebhookWithdrawCompleted, WebhookWithdrawAvailable, WebhookRebalanceExecuted,
		WebhookPositionLiquidated)
}

// UnverifiedWebhook is a notification that anybody could have sent: the service
// does not document how to verify one. Use it as a hint to look at the account,
// never as proof of a payment.
type UnverifiedWebhook struct {
	Event     WebhookEvent      `json:"event" wire:"strict,said"`
	Timestamp walletfi.Time     `json:"timestamp" wire:"free"`
	Data      walletfi.Document `json:"data"` // documented for WebhookDepositCompleted only: see Deposit

	Raw walletfi.Document `json:"-"` // the body as it came

	waive func(wire.Breach) bool // nil if no breach is let through
}

// CompletedDeposit is the data of a [WebhookDepositCompleted].
type CompletedDeposit struct {
	WalletAddress string          `json:"walletAddress" wire:"said,key,opaque"`
	Mint          string          `json:"mint" wire:"said,key,opaque"`
	Amount        walletfi.Amount `json:"amount" wire:"present"`
	DepositType   DepositType     `json:"depositType" wire:"said"`
	Signature     string          `json:"signature" wire:"required,signature,opaque"` // of the transaction, base58

	// Raw is the data as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

// ParseUnverifiedWebhook decodes the body of a notification. It does not check
// who sent it. [Client.ParseUnverifiedWebhook] also reads a deployment's words.
func ParseUnverifiedWebhook(body []byte) (*UnverifiedWebhook, error) {
	return parseWebhook(body, body, nil)
}

// ParseUnverifiedWebhook decodes the body of a notification in the words of the
// client's Deployment, and lets the members through that its Lenient names. It does not check
// who sent it.
func (c *Client) ParseUnverifiedWebhook(body []byte) (*UnverifiedWebhook, error) {
	neutral, err := c.made().t.Dialect().Plain().ToNeutral(body)
	if err != nil {
		return nil, fmt.Errorf("lending webhook: %w: %w", walletfi.ErrDecode, err)
	}
	return parseWebhook(body, neutral, c.made().t.Waiving(context.Background(), "ParseUnverifiedWebhook", ""))
}

func parseWebhook(body, neutral []byte, waive func(wire.Breach) bool) (*UnverifiedWebhook, error) {
	w := UnverifiedWebhook{waive: waive}
	if err := wire.UnmarshalWaiving(neutral, &w, waive); err != nil {
		return nil, fmt.Errorf("lending webhook: %w", err)
	}
	w.Raw = wire.Keep(body)
	return &w, nil
}

// Deposit decodes the data of a [WebhookDepositCompleted]. It fails for any other
// event. An address or a signature that is no identifier is kept, and the deposit comes with a
// [*walletfi.UnreadError].
func (w *UnverifiedWebhook) Deposit() (*CompletedDeposit, error) {
	if w.Event != WebhookDepositCompleted {
		return nil, fmt.Errorf("lending webhook: %q carries no deposit", w.Event)
	}
	var d CompletedDeposit
	err := wire.UnmarshalWaiving(w.Data, &d, w.waive)
	if err != nil {
		err = fmt.Errorf("lending webhook: %w", err)
	}
	if !wire.Usable(err) {
		return nil, err
	}
	return &d, err
}
