package docs_test

import (
	"context"
	"fmt"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/signingtest"
	"github.com/walletfi/walletfi-go/walletfitest"
	"testing"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/sandbox"
)

func Example_testing() {
	if err := tested(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 10 days, 240h0m0s later
	// another goes on at the same time: true
}

func tested(ctx context.Context) error {
	s, err := sandbox.Start(sandbox.Config{ManualClock: true})
	if err != nil {
		return err
	}
	defer s.Close()
	client, err := lending.New(lending.Config{
		BaseURL: s.URL(sandbox.Lending), APIKey: walletfi.NewSecret(s.APIKey(sandbox.Lending)),
		Options: s.Options(), // the sandbox's clock
	})
	if err != nil {
		return err
	}
	started, days := s.Now(), 0
	bot := func(ctx context.Context, client *lending.Client) error {
		for ; days < 10; days++ {
			if _, err := client.ListPools(ctx); err != nil {
				return err
			}
			if err := walletfi.Sleep(ctx, s.Options().Clock, 24*time.Hour); err != nil {
				return err
			}
		}
		return nil
	}
	s.Fault(sandbox.Route{Service: sandbox.Lending}, sandbox.Fault{Status: 503, Times: 1})
	ended := make(chan error, 1)
	walletfi.Go(ctx, s.Options().Clock, func(ctx context.Context) { ended <- bot(ctx, client) })
	err = s.AdvanceUntil(ctx, 11*24*time.Hour, func() bool { return len(ended) > 0 })
	if err != nil {
		return err
	}
	if err := <-ended; err != nil {
		return err
	}
	fmt.Printf("%d days, %v later\n", days, s.Now().Sub(started).Round(time.Hour))
	for _, v := range s.Violations() {
		return fmt.Errorf("a mistake: %v", v)
	}
	return branched(s)
}

// branched goes on from where s is in a sandbox of its own.
func branched(s *sandbox.Sandbox) error {
	snapshot, err := sandbox.Snapshot(s)
	if err != nil {
		return err
	}
	other, err := sandbox.Start(sandbox.Config{Snapshot: snapshot})
	if err != nil {
		return err
	}
	defer other.Close()
	fmt.Println("another goes on at the same time:", other.Now().Equal(s.Now()))
	return nil
}

// service is a double of lending's client.
type service struct{ t testing.TB }

func (s service) BuildDeposit(
	_ context.Context, req lending.DepositRequest, _ ...walletfi.CallOption,
) (*lending.DepositTransaction, error) {
	return walletfitest.Built(s.t, req, &lending.DepositTransaction{}), nil
}

// TestDouble: the guard signs what the guide's double builds.
func TestDouble(t *testing.T) {
	key := signingtest.Key("owner")
	built, err := service{t}.BuildDeposit(t.Context(), lending.DepositRequest{
		Owner: key.PublicKey().String(), Mint: walletfi.NativeMint, Amount: 5,
	})
	require.NoError(t, err)
	_, _, err = signing.NewGuard(walletfitest.Policy("lending")).SignSet(t.Context(), built.Unsigned(), key)
	require.NoError(t, err)
}
