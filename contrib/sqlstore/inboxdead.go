package sqlstore

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strconv"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"github.com/walletfi/walletfi-go/webhooks"
)

// deadPage is how many dead deliveries are read at a time.
const deadPage = 100

// Dead implements [webhooks.Inbox].
func (i *Inbox) Dead(ctx context.Context) iter.Seq2[webhooks.DeadDelivery, error] {
	return func(yield func(webhooks.DeadDelivery, error) bool) {
		client, _ := i.now()
		params := river.NewJobListParams().Queues(i.cfg.Queue).States(rivertype.JobStateDiscarded).
			OrderBy(river.JobListOrderByFinalizedAt, river.SortOrderAsc).First(deadPage)
		for {
			page, err := client.JobList(ctx, params)
			if err != nil {
				yield(webhooks.DeadDelivery{}, i.store.failed(err))
				return
			}
			for _, job := range page.Jobs {
				d, err := dead(job)
				if !yield(d, i.store.failed(err)) {
					return
				}
			}
			if len(page.Jobs) < deadPage {
				return
			}
			params = params.After(page.LastCursor)
		}
	}
}

func dead(job *rivertype.JobRow) (webhooks.DeadDelivery, error) {
	var args delivery
	d := webhooks.DeadDelivery{ID: strconv.FormatInt(job.ID, 10), Attempts: job.Attempt}
	if err := json.Unmarshal(job.EncodedArgs, &args); err != nil {
		return d, fmt.Errorf("%w: job %d: %w", ErrDamaged, job.ID, err)
	}
	d.StoredDelivery = args.stored()
	if n := len(job.Errors); n > 0 {
		d.Cause = job.Errors[n-1].Error
	}
	if job.FinalizedAt != nil {
		d.DiedAt = *job.FinalizedAt
	}
	return d, nil
}

// GetDead implements [webhooks.Inbox].
func (i *Inbox) GetDead(ctx context.Context, id string) (webhooks.DeadDelivery, error) {
	client, _ := i.now()
	n, err := strconv.ParseInt(id, 10, 64)
	if err != nil || strconv.FormatInt(n, 10) != id {
		return webhooks.DeadDelivery{}, webhooks.ErrNotDead
	}
	job, err := client.JobGet(ctx, n)
	if errors.Is(err, river.ErrNotFound) {
		return webhooks.DeadDelivery{}, webhooks.ErrNotDead
	}
	if err != nil {
		return webhooks.DeadDelivery{}, i.store.failed(err)
	}
	if job.State != rivertype.JobStateDiscarded || job.Queue != i.cfg.Queue || job.Kind != (delivery{}).Kind() {
		return webhooks.DeadDelivery{}, webhooks.ErrNotDead
	}
	d, err := dead(job)
	return d, i.store.failed(err)
}

// RetryDead implements [webhooks.Inbox].
func (i *Inbox) RetryDead(ctx context.Context, id string) error {
	d, err := i.GetDead(ctx, id)
	if err != nil {
		return err
	}
	client, _ := i.now()
	n, err := strconv.ParseInt(d.ID, 10, 64)
	if err == nil {
		_, err = client.JobRetry(ctx, n)
	}
	return i.store.failed(err)
}
