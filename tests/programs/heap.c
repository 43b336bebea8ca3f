/* The heap: a list, a tree and buffers that grow and go. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
    struct node *left, *right;
    uint32_t key;
};

static struct node *insert(struct node *root, uint32_t key)
{
    if (!root) {
        root = calloc(1, sizeof(*root));
        root->key = key;
    } else if (key < root->key) {
        root->left = insert(root->left, key);
    } else {
        root->right = insert(root->right, key);
    }
    return root;
}

static unsigned depth(const struct node *root)
{
    if (!root)
        return 0;
    unsigned left = depth(root->left), right = depth(root->right);
    return 1 + (left > right ? left : right);
}

static void release(struct node *root)
{
    if (!root)
        return;
    release(root->left);
    release(root->right);
    free(root);
}

int main(void)
{
    struct node *root = NULL;
    uint32_t state = 7;
    for (int i = 0; i < 500; i++) {
        state = state * 1103515245u + 12345u;
        root = insert(root, state >> 4);
    }
    char *buffers[32] = {0};
    size_t total = 0;
    for (int i = 0; i < 300; i++) {
        size_t size = (size_t)(i * 37 % 997 + 1);
        char **slot = &buffers[i % 32];
        if (i % 5 == 4) {
            free(*slot);
            *slot = NULL;
        } else {
            *slot = realloc(*slot, size);
            memset(*slot, i, size);
            total += size;
        }
    }
    char *large = malloc(300000); /* beyond the threshold: mapped and unmapped */
    memset(large, 1, 300000);
    total += (size_t)large[299999];
    free(large);
    printf("%u %zu\n", depth(root), total);
    for (int i = 0; i < 32; i++)
        free(buffers[i]);
    release(root);
    return 0;
}
