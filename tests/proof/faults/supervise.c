/* Runs a command below which the file system fails, or the power goes, at a place that is counted.
 *
 *     supervise REPORT count|fail|full|kill N COMMAND...
 *
 * A place is a system call that changes a file or folder: create, write, truncate, rename, link, delete, permissions, times,
 * flush. At the N-th one (from 1) of the command and its children, on any thread:
 *   count  nothing happens
 *   fail   it fails once, with EIO
 *   full   it and all later ones that need room fail with ENOSPC
 *   kill   the command is killed before it
 * REPORT receives one line for each place up to the one of the fault: the name of the call and what it changes.
 *
 * It works by seccomp's notifications (Linux 5.9): the program needs no change and cannot tell. Changes of mapped memory are
 * no system calls and are not counted; the only one that skc maps to write is the -shm of a log, which holds nothing lasting. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum kind { CREATES, WRITES, PATHS, FRAGILE_PATHS, DESCRIPTORS };

/* What each call changes, and in which arguments it names that: a folder's descriptor, or -1, and a path; or a descriptor. */
static const struct place {
    int number;
    const char *name;
    enum kind kind;
    int folder, path;
    int needs_room;
} PLACES[] = {
    {SYS_openat, "create", CREATES, 0, 1, 1},
    {SYS_openat2, "create", CREATES, 0, 1, 1},
    {SYS_write, "write", WRITES, 0, -1, 1},
    {SYS_pwrite64, "write", WRITES, 0, -1, 1},
    {SYS_writev, "write", WRITES, 0, -1, 1},
    {SYS_pwritev, "write", WRITES, 0, -1, 1},
    {SYS_sendfile, "write", WRITES, 0, -1, 1},
    {SYS_copy_file_range, "write", WRITES, 2, -1, 1},
    {SYS_fallocate, "allocate", DESCRIPTORS, 0, -1, 1},
    {SYS_ftruncate, "truncate", DESCRIPTORS, 0, -1, 0},
    {SYS_fsync, "flush", DESCRIPTORS, 0, -1, 1},
    {SYS_fdatasync, "flush", DESCRIPTORS, 0, -1, 1},
    {SYS_fchmod, "chmod", DESCRIPTORS, 0, -1, 0},
    {SYS_fchmodat, "chmod", PATHS, 0, 1, 0},
    {SYS_utimensat, "utimes", PATHS, 0, 1, 0},
    {SYS_mkdirat, "mkdir", PATHS, 0, 1, 1},
    {SYS_symlinkat, "symlink", PATHS, 1, 2, 1},
    {SYS_linkat, "link", PATHS, 2, 3, 1},
    {SYS_unlinkat, "remove", PATHS, 0, 1, 0},
    {SYS_renameat2, "rename", PATHS, 2, 3, 0},
#ifdef SYS_open /* systems with the older calls */
    {SYS_open, "create", CREATES, -1, 0, 1},
    {SYS_chmod, "chmod", PATHS, -1, 0, 0},
    {SYS_mkdir, "mkdir", PATHS, -1, 0, 1},
    {SYS_symlink, "symlink", PATHS, -1, 1, 1},
    {SYS_link, "link", PATHS, -1, 1, 1},
    {SYS_unlink, "remove", PATHS, -1, 0, 0},
    {SYS_rmdir, "remove", PATHS, -1, 0, 0},
    {SYS_rename, "rename", PATHS, -1, 1, 0},
    {SYS_renameat, "rename", PATHS, 2, 3, 0},
    {SYS_truncate, "truncate", PATHS, -1, 0, 0},
#endif
};
enum { PLACE_COUNT = sizeof PLACES / sizeof *PLACES };

static void die(const char *doing) {
    perror(doing);
    exit(125);
}

/* Sends the calls of the table to the supervisor; returns its descriptor. */
static int install_filter(void) {
    struct sock_filter code[2 * PLACE_COUNT + 2];
    int at = 0;
    code[at++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (int i = 0; i < PLACE_COUNT; i++) {
        code[at++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PLACES[i].number, 0, 1);
        code[at++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
    }
    code[at++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog program = {.len = at, .filter = code};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) die("no_new_privs");
    int listener = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
    if (listener < 0) die("seccomp");
    return listener;
}

static void send_descriptor(int socket, int descriptor) {
    char byte = 0, control[CMSG_SPACE(sizeof(int))] = {0};
    struct iovec part = {&byte, 1};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(head), &descriptor, sizeof(int));
    if (sendmsg(socket, &message, 0) < 0) die("sendmsg");
}

static int receive_descriptor(int socket) {
    char byte, control[CMSG_SPACE(sizeof(int))];
    struct iovec part = {&byte, 1};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    if (recvmsg(socket, &message, 0) <= 0 || !CMSG_FIRSTHDR(&message)) exit(125);
    int descriptor;
    memcpy(&descriptor, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof(int));
    return descriptor;
}

/* Copies from the memory of the command; what cannot be read is empty. */
static void read_memory(pid_t pid, uint64_t from, void *to, size_t bytes) {
    memset(to, 0, bytes);
    /* A read must not cross into a page that is not mapped. */
    for (size_t done = 0; done < bytes;) {
        size_t page_rest = 4096 - (from + done) % 4096, part = bytes - done < page_rest ? bytes - done : page_rest;
        struct iovec local = {(char *)to + done, part}, remote = {(void *)(uintptr_t)(from + done), part};
        if (process_vm_readv(pid, &local, 1, &remote, 1, 0) <= 0) return;
        done += part;
    }
}

static void link_text(pid_t pid, const char *what, long number, char *to, size_t bytes) {
    char path[64];
    snprintf(path, sizeof path, number < 0 ? "/proc/%d/%s" : "/proc/%d/%s/%ld", pid, what, number);
    ssize_t length = readlink(path, to, bytes - 1);
    to[length < 0 ? 0 : length] = 0;
}

/* Whether a call changes a file or folder; `changed` is then its path. */
static int is_change(const struct place *place, const struct seccomp_notif *call, char *changed, size_t bytes) {
    const __u64 *args = call->data.args;
    pid_t pid = call->pid;
    if (place->kind == WRITES || place->kind == DESCRIPTORS) {
        int descriptor = (int)args[place->folder];
        link_text(pid, "fd", descriptor, changed, bytes);
        /* Output that was led into a file is none of the command's files. */
        return descriptor > 2 && changed[0] == '/' && strncmp(changed, "/dev/", 5) && strncmp(changed, "/memfd:", 7);
    }
    char name[1024], folder[1024] = "";
    read_memory(pid, args[place->path], name, sizeof name - 1);
    if (name[0] != '/') {
        int descriptor = place->folder < 0 ? AT_FDCWD : (int)args[place->folder];
        if (descriptor == AT_FDCWD) link_text(pid, "cwd", -1, folder, sizeof folder);
        else link_text(pid, "fd", descriptor, folder, sizeof folder);
        strncat(folder, "/", sizeof folder - strlen(folder) - 1);
    }
    int length;
    if (!strncmp(name, "/proc/self/fd/", 14)) {
        char *rest;
        link_text(pid, "fd", strtol(name + 14, &rest, 10), folder, sizeof folder);
        length = snprintf(changed, bytes, "%s%s", folder, rest);
    } else {
        length = snprintf(changed, bytes, "%s%s", folder, name);
    }
    if (length < 0 || (size_t)length >= bytes) exit(125);
    /* Removing what is not there changes nothing. */
    struct stat there;
    if (!strcmp(place->name, "remove")) return !lstat(changed, &there);
    if (place->kind != CREATES) return 1;
    uint64_t flags = args[place->path + 1];
    if (place->number == SYS_openat2) read_memory(pid, args[2], &flags, sizeof flags);
    if (!(flags & (O_CREAT | O_TRUNC))) return 0;
    /* Opening what exists creates nothing. */
    return flags & (O_EXCL | O_TRUNC) || access(changed, F_OK);
}

int main(int argc, char **argv) {
    if (argc < 5) return 125;
    FILE *report = fopen(argv[1], "we");
    const char *fault = argv[2];
    long wanted = atol(argv[3]), count = 0;
    int sockets[2];
    if (!report || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets)) die("set up");
    pid_t child = fork();
    if (child == 0) {
        setpgid(0, 0);
        int listener = install_filter();
        send_descriptor(sockets[1], listener);
        close(listener);
        execvp(argv[4], argv + 4);
        die(argv[4]);
    }
    close(sockets[1]);
    int listener = receive_descriptor(sockets[0]);
    struct pollfd ready = {.fd = listener, .events = POLLIN};
    while (poll(&ready, 1, -1) >= 0 && ready.revents & POLLIN) {
        struct seccomp_notif call = {0};
        struct seccomp_notif_resp answer = {0};
        if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &call)) continue;
        const struct place *place = PLACES;
        while (place->number != call.data.nr) place++;
        char changed[2048];
        answer.id = call.id;
        answer.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
        if (is_change(place, &call, changed, sizeof changed)) {
            count++;
            int is_full = !strcmp(fault, "full") && count >= wanted && place->needs_room;
            int is_here = count == wanted && strcmp(fault, "count") && strcmp(fault, "full");
            if (!strcmp(fault, "count") || count <= wanted) fprintf(report, "%s %s\n", place->name, changed);
            if (is_here && !strcmp(fault, "kill")) {
                kill(-child, SIGKILL);
                kill(child, SIGKILL);
                continue;
            }
            if (is_here || is_full) {
                answer.flags = 0;
                answer.error = is_full ? -ENOSPC : -EIO;
            }
        }
        ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &answer);
    }
    fclose(report);
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
