package redislimit_test

import (
	"context"
	"fmt"

	"github.com/redis/go-redis/v9"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/contrib/redislimit"
	"github.com/walletfi/walletfi-go/lending"
)

// Each process of a fleet makes a Fleet under the same name, and gives it to every client
// that uses the key.
func Example() {
	fleet, err := redislimit.New(redislimit.Config{
		Client: redis.NewClient(&redis.Options{Addr: "localhost:6379"}),
		Key:    "lending-main", // names the key; not the key itself
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer fleet.Close()
	client, err := lending.New(lending.Config{
		BaseURL: "https://lending.example.com", APIKey: walletfi.NewSecret("k-123456"),
		Options: walletfi.Options{Limiter: fleet.Limiter},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	pools, err := client.ListPools(context.Background())
	if err != nil {
		fmt.Println(err) // walletfi.ErrLimiter if Redis cannot be reached: nothing was sent
		return
	}
	fmt.Println(len(pools.Items))
}
