/*
 * libaio on a thread pool, for OSDs that run under qemu-user.
 *
 * qemu-user answers ENOSYS to io_setup(2) and io_uring_setup(2), and
 * BlueStore needs one of them. This library, preloaded into ceph-osd,
 * defines io_setup, io_submit, io_getevents, io_cancel and io_destroy in
 * libaio's stead, so that BlueStore's KernelDevice works unchanged.
 * AIOSHIM_THREADS sets the number of threads per context (default 4).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

/* Layouts of <libaio.h> on 64-bit little-endian machines. */
struct iocb {
	void *data;
	uint32_t key, rw_flags;
	uint16_t opcode;
	int16_t priority;
	uint32_t fd;
	uint64_t buf, nbytes;
	int64_t offset;
	uint64_t reserved;
	uint32_t flags, resfd;
};

struct io_event {
	void *data;
	struct iocb *obj;
	long res, res2;
};

enum { PREAD = 0, PWRITE = 1, FSYNC = 2, FDSYNC = 3, PREADV = 7, PWRITEV = 8 };

/* One ring of requests that wait, one of events that nobody took yet. Both
 * have room for every request in flight, so neither can overflow. */
struct context {
	pthread_mutex_t lock;
	pthread_cond_t work, done;
	unsigned capacity, in_flight;
	struct iocb **waiting;
	unsigned waiting_head, waiting_count;
	struct io_event *events;
	unsigned events_head, events_count;
	int stop, threads;
	pthread_t *thread;
};

static long perform(struct iocb *c)
{
	ssize_t r;

	switch (c->opcode) {
	case PREAD:
		r = pread(c->fd, (void *)c->buf, c->nbytes, c->offset);
		break;
	case PWRITE:
		r = pwrite(c->fd, (void *)c->buf, c->nbytes, c->offset);
		break;
	case FSYNC:
		r = fsync(c->fd);
		break;
	case FDSYNC:
		r = fdatasync(c->fd);
		break;
	case PREADV:
		r = preadv(c->fd, (struct iovec *)c->buf, (int)c->nbytes,
			   c->offset);
		break;
	case PWRITEV:
		r = pwritev(c->fd, (struct iovec *)c->buf, (int)c->nbytes,
			    c->offset);
		break;
	default:
		return -EINVAL;
	}
	return r < 0 ? -errno : r;
}

static void *serve(void *arg)
{
	struct context *x = arg;

	pthread_setname_np(pthread_self(), "aioshim");
	pthread_mutex_lock(&x->lock);
	for (;;) {
		while (!x->waiting_count && !x->stop)
			pthread_cond_wait(&x->work, &x->lock);
		if (!x->waiting_count)
			break;
		struct iocb *c = x->waiting[x->waiting_head];
		x->waiting_head = (x->waiting_head + 1) % x->capacity;
		x->waiting_count--;
		pthread_mutex_unlock(&x->lock);
		long r = perform(c);
		pthread_mutex_lock(&x->lock);
		unsigned slot = (x->events_head + x->events_count) %
				x->capacity;
		x->events[slot] = (struct io_event){ c->data, c, r, 0 };
		x->events_count++;
		pthread_cond_signal(&x->done);
	}
	pthread_mutex_unlock(&x->lock);
	return NULL;
}

int io_destroy(struct context *x)
{
	pthread_mutex_lock(&x->lock);
	x->stop = 1;
	pthread_cond_broadcast(&x->work);
	pthread_mutex_unlock(&x->lock);
	for (int i = 0; i < x->threads; i++)
		pthread_join(x->thread[i], NULL);
	pthread_cond_destroy(&x->work);
	pthread_cond_destroy(&x->done);
	pthread_mutex_destroy(&x->lock);
	free(x->waiting);
	free(x->events);
	free(x->thread);
	free(x);
	return 0;
}

int io_setup(int capacity, struct context **out)
{
	if (capacity < 1)
		return -EINVAL;
	struct context *x = calloc(1, sizeof(*x));
	if (!x)
		return -ENOMEM;

	const char *text = getenv("AIOSHIM_THREADS");
	int threads = text ? atoi(text) : 4;
	if (threads < 1)
		threads = 1;

	pthread_condattr_t attr;
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_mutex_init(&x->lock, NULL);
	pthread_cond_init(&x->work, NULL);
	pthread_cond_init(&x->done, &attr);
	pthread_condattr_destroy(&attr);

	x->capacity = capacity;
	x->waiting = calloc(capacity, sizeof(*x->waiting));
	x->events = calloc(capacity, sizeof(*x->events));
	x->thread = calloc(threads, sizeof(*x->thread));
	if (!x->waiting || !x->events || !x->thread) {
		io_destroy(x);
		return -ENOMEM;
	}
	for (; x->threads < threads; x->threads++) {
		if (pthread_create(&x->thread[x->threads], NULL, serve, x)) {
			io_destroy(x);
			return -EAGAIN;
		}
	}
	*out = x;
	return 0;
}

int io_submit(struct context *x, long n, struct iocb **list)
{
	long i;

	if (n < 0)
		return -EINVAL;
	pthread_mutex_lock(&x->lock);
	for (i = 0; i < n && x->in_flight < x->capacity; i++) {
		unsigned slot = (x->waiting_head + x->waiting_count) %
				x->capacity;
		x->waiting[slot] = list[i];
		x->waiting_count++;
		x->in_flight++;
		pthread_cond_signal(&x->work);
	}
	pthread_mutex_unlock(&x->lock);
	return i || !n ? (int)i : -EAGAIN;
}

int io_getevents(struct context *x, long min, long max, struct io_event *out,
		 struct timespec *timeout)
{
	struct timespec until;
	long taken = 0;

	if (timeout) {
		clock_gettime(CLOCK_MONOTONIC, &until);
		until.tv_sec += timeout->tv_sec;
		until.tv_nsec += timeout->tv_nsec;
		if (until.tv_nsec >= 1000000000) {
			until.tv_nsec -= 1000000000;
			until.tv_sec++;
		}
	}
	pthread_mutex_lock(&x->lock);
	while ((long)x->events_count < min) {
		int r = timeout ? pthread_cond_timedwait(&x->done, &x->lock,
							 &until) :
				  pthread_cond_wait(&x->done, &x->lock);
		if (r == ETIMEDOUT)
			break;
	}
	for (; taken < max && x->events_count; taken++) {
		out[taken] = x->events[x->events_head];
		x->events_head = (x->events_head + 1) % x->capacity;
		x->events_count--;
		x->in_flight--;
	}
	pthread_mutex_unlock(&x->lock);
	return (int)taken;
}

int io_cancel(struct context *x, struct iocb *c, struct io_event *event)
{
	(void)x;
	(void)c;
	(void)event;
	return -EINVAL; /* "cannot be cancelled": callers wait for it instead */
}
